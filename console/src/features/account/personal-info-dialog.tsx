import { useMutation, useQuery } from '@tanstack/react-query';
import { Form, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import {
  ApiError,
  audited,
  call,
  sessionLogout,
  type UserRecord,
  type UserUpsert,
  userGet,
  userUpsert,
} from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { clearSession } from '@/shared/api/session';
import { beginFarewell, currentToken } from '@/shared/api/token';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { showFaults, toFault } from '@/shared/ui/form-faults';
import { LoadingState } from '@/shared/ui/loading-state';
import { PersonFields } from '@/shared/widgets/person/person-fields';
import { AvatarField } from './avatar-field';
import './account.css';

const BUILT_IN = '-1';

type Person = Pick<UserUpsert, 'nickName' | 'documentType' | 'idNumber' | 'phone' | 'email' | 'description'>;

/** Stores the own fields; afterwards the viewer signs in again (specification, chapter 4). */
function useSave(user: UserRecord) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (person: Person) =>
      call(userUpsert({ body: { ...person, userId: user.userId }, ...audited(user, person) })),
    meta: { quiet: true },
    onSuccess: async () => {
      beginFarewell();
      await call(sessionLogout({ body: { token: currentToken() } })).catch(() => undefined);
      clearSession();
      session.set(storeKeys.farewell, t('personal.saved'));
      navigate(paths.signIn());
    },
  });
}

function PersonForm({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const [form] = Form.useForm<Person>();
  const save = useSave(user);
  const submit = (person: Person) =>
    save.mutate(person, {
      onError: (error) => {
        if (error instanceof ApiError) showFaults(form, error, () => failureText(error, 'modify'));
      },
    });
  return (
    <Modal
      open
      title={t('account:personal.title')}
      okText={t('common:action.save')}
      cancelText={t('common:action.cancel')}
      confirmLoading={save.isPending}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <dl className="personal-facts">
        <dt>{t('account:personal.userName')}</dt>
        <dd>{user.userName}</dd>
      </dl>
      <AvatarField />
      <p>{t('account:personal.hint')}</p>
      <Form form={form} layout="vertical" initialValues={user} onFinish={submit} scrollToFirstError={toFault}>
        <PersonFields isNumberOptional={user.userType === BUILT_IN} />
      </Form>
    </Modal>
  );
}

/** The viewer's own account. */
export default function PersonalInfoDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const user = useQuery({
    queryKey: ['account', 'own', userId],
    queryFn: ({ signal }) => call(userGet({ body: { userId }, signal })),
    staleTime: 0,
  });
  if (user.data) return <PersonForm user={user.data} onClose={onClose} />;
  return (
    <Modal open title={t('account:personal.title')} footer={null} onCancel={onClose}>
      {user.isPending ? (
        <LoadingState />
      ) : (
        user.error && <ErrorState error={user.error} onRetry={user.refetch} />
      )}
    </Modal>
  );
}
