import { Form, Input, InputNumber, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type IssuedToken,
  type NewServiceAccount,
  type Offer,
  type ServiceAccountRecord,
  serviceAccountAdd,
  serviceAccountEdit,
  type TokenTerms,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { useRefresh, useTenants } from './queries';
import { ScopeField } from './scope-field';
import { READ_ONLY } from './scope-kinds';
import { useScopeOffer, useTokenTerms } from './service-account-queries';

interface Props {
  /** Left out: a new account. */
  edit?: ServiceAccountRecord | undefined;
  /** A new account's token. */
  onToken: (token: IssuedToken) => void;
  onClose: () => void;
}

/** A service account with its scope. The drawer waits for what the viewer may allow. */
export default function ServiceAccountDrawer(props: Props) {
  const { t } = useTranslation('authority');
  const offer = useScopeOffer();
  const terms = useTokenTerms();
  if (!offer.data || !terms.data)
    return (
      <WaitingDrawer title={t('serviceAccount.title')} queries={[offer, terms]} onClose={props.onClose} />
    );
  return <AccountForm {...props} offer={offer.data} terms={terms.data} />;
}

interface FormProps extends Props {
  offer: Offer;
  terms: TokenTerms;
}

function AccountForm({ edit, onToken, onClose, offer, terms }: FormProps) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const tenants = useTenants().data ?? [];
  const save = async (values: NewServiceAccount) => {
    if (edit) {
      const { description, permissions } = values;
      await call(
        serviceAccountEdit({ body: { id: edit.id, description, permissions }, ...audited(edit, values) }),
      );
      notify('success', t('serviceAccount.changed', { name: edit.name }));
    } else onToken(await call(serviceAccountAdd({ body: values })));
    await refresh();
  };
  return (
    <FormDrawer<NewServiceAccount>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('serviceAccount.editTitle', { name: edit.name }) : t('serviceAccount.add')}
      open
      initialValues={edit ?? { permissions: READ_ONLY, days: terms.longestDays, spansTenants: false }}
      onSubmit={save}
      onClose={onClose}
    >
      {!edit && (
        <Form.Item
          name="name"
          label={t('serviceAccount.name')}
          extra={t('serviceAccount.nameHint')}
          rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
        >
          <Input {...upTo(100)} />
        </Form.Item>
      )}
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
      {!edit && (
        <Form.Item
          name="days"
          label={t('serviceAccount.days')}
          extra={t('serviceAccount.daysHint', { longest: terms.longestDays })}
          rules={[{ required: true, message: t('serviceAccount.daysFault') }]}
        >
          <InputNumber controls={false} min={1} max={terms.longestDays} precision={0} />
        </Form.Item>
      )}
      {!edit && tenants.length > 1 && (
        <Form.Item
          name="spansTenants"
          label={t('serviceAccount.spansTenants')}
          extra={t('serviceAccount.spansTenantsHint')}
          valuePropName="checked"
        >
          <Switch />
        </Form.Item>
      )}
      <Form.Item
        name="permissions"
        label={t('serviceAccount.scope')}
        extra={t('serviceAccount.scopeHint')}
        rules={[
          {
            validator: (_, value: unknown[] | null) =>
              value?.length === 0
                ? Promise.reject(new Error(t('serviceAccount.scopeFault')))
                : Promise.resolve(),
          },
        ]}
      >
        <ScopeField offer={offer} keepsAll={edit?.permissions === null} />
      </Form.Item>
    </FormDrawer>
  );
}
