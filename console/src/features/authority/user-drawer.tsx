import { Alert, Form, Input, Select, Switch, TreeSelect } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type UserRecord, type UserUpsert, userUpsert } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { ErrorState } from '@/shared/ui/error-state';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { PersonFields } from '@/shared/widgets/person/person-fields';
import { PasswordField } from './password-field';
import {
  departmentOptions,
  useDepartments,
  useRefresh,
  useRoleOptions,
  useTenants,
  useUser,
} from './queries';

const BUILT_IN = '-1';

interface Props {
  /** Left out: a new user. */
  userId?: string;
  onClose: () => void;
}

/** A user is added, or changed; a built-in account keeps its name, role and status. */
export default function UserDrawer({ userId, onClose }: Props) {
  const user = useUser(userId);
  if (userId === undefined) return <UserForm onClose={onClose} />;
  if (user.error && !user.data) return <ErrorState error={user.error} onRetry={user.refetch} />;
  return user.data ? <UserForm user={user.data} onClose={onClose} /> : null;
}

type Values = Omit<UserUpsert, 'userId'>;

/** What a cleared choice leaves behind is sent as an empty text: null would mean "as it is". */
function sent(values: Values): Values {
  return { ...values, deptId: values.deptId ?? '' };
}

function UserForm({ user, onClose }: { user?: UserRecord; onClose: () => void }) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const isBuiltIn = user?.userType === BUILT_IN;
  const save = async (values: Values) => {
    await call(
      userUpsert({ body: { ...sent(values), userId: user?.userId ?? null }, ...audited(user, values) }),
    );
    notify('success', t(user ? 'user.changed' : 'user.added', { name: values.userName }));
    await refresh();
  };
  const initial = user
    ? { ...user, roleCode: user.roleCodes[0] }
    : { status: '0', documentType: '0', clientRemote: false };
  return (
    <FormDrawer<Values>
      asked={user ? 'modify' : 'submit'}
      title={user ? t('user.editTitle', { name: user.userName }) : t('user.add')}
      open
      initialValues={initial}
      onSubmit={save}
      onClose={onClose}
    >
      {isBuiltIn && <Alert type="info" showIcon title={t('user.builtIn')} className="drawer-hint" />}
      <Form.Item
        name="userName"
        label={t('user.userName')}
        rules={[{ required: true, whitespace: true, message: t('user.fault.userName') }]}
      >
        <Input {...upTo(50)} disabled={isBuiltIn} autoComplete="off" />
      </Form.Item>
      {!user && <PasswordField hint="user.passwordHint" />}
      <PlaceFields user={user} />
      <PersonFields isNumberOptional={isBuiltIn} />
      <Form.Item name="status" label={t('user.status')}>
        <Select
          disabled={isBuiltIn}
          options={(user ? (['0', '1', '2'] as const) : (['0', '1'] as const)).map((value) => ({
            value,
            label: t(`status.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item
        name="clientRemote"
        label={t('user.clientRemote')}
        extra={t('user.clientRemoteHint')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
    </FormDrawer>
  );
}

/** Tenant, department and role: what may be chosen of the last two follows from the first. */
function PlaceFields({ user }: { user?: UserRecord }) {
  const { t } = useTranslation('authority');
  const form = Form.useFormInstance<Values>();
  const tenants = useTenants().data ?? [];
  const customerId: string | undefined = Form.useWatch('customerId', form) ?? user?.customerId;
  const mayDepartments = useMay('authority-management/dept-management')('view');
  const departments = useDepartments(customerId, mayDepartments).data ?? [];
  const roles = useRoleOptions(customerId).data ?? [];
  const isBuiltIn = user?.userType === BUILT_IN;
  return (
    <>
      {tenants.length > 1 && (
        <Form.Item name="customerId" label={t('user.tenant')} extra={user && t('user.tenantHint')}>
          <Select
            disabled={isBuiltIn}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('user.ownTenant')}
            options={tenants.map(({ customerid, name }) => ({ value: customerid, label: name }))}
            onChange={() => form.setFieldsValue({ deptId: undefined })}
          />
        </Form.Item>
      )}
      {mayDepartments && (
        <Form.Item name="deptId" label={t('user.department')}>
          <TreeSelect
            allowClear
            treeDefaultExpandAll
            treeData={departmentOptions(departments)}
            placeholder={t('user.noDepartment')}
          />
        </Form.Item>
      )}
      {!isBuiltIn && (
        <Form.Item
          name="roleCode"
          label={t('user.role')}
          rules={[{ required: true, message: t('user.fault.role') }]}
        >
          <Select options={roles.map(({ code, name }) => ({ value: code, label: name }))} />
        </Form.Item>
      )}
    </>
  );
}
