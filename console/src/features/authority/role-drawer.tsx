import { Alert, Form, Input, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type NewRole, type Offer, type RoleDetail, roleAdd, roleEdit } from '@/shared/api';
import { useHasRole } from '@/shared/hooks/use-has-role';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { PermissionMatrix } from './permission-matrix';
import { usePermissionOffer, useRefresh, useRefreshMenu, useRole, useTenants } from './queries';

interface Props {
  /** Left out: a new role. */
  id?: string;
  onClose: () => void;
}

/** A role with what it opens. The drawer waits for what the viewer may hand on. */
export default function RoleDrawer({ id, onClose }: Props) {
  const { t } = useTranslation('authority');
  const role = useRole(id);
  const offer = usePermissionOffer();
  if (!offer.data || (id !== undefined && !role.data))
    return <WaitingDrawer title={t('role.title')} queries={[role, offer]} onClose={onClose} />;
  return <RoleForm role={role.data} offer={offer.data} onClose={onClose} />;
}

interface FormProps {
  role: RoleDetail | undefined;
  offer: Offer;
  onClose: () => void;
}

function RoleForm({ role, offer, onClose }: FormProps) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const refreshMenu = useRefreshMenu();
  const tenants = useTenants().data ?? [];
  const hasRole = useHasRole();
  const isNamed = role?.named ?? false;
  const save = async (values: NewRole) => {
    if (role) await call(roleEdit({ body: { ...values, id: role.id }, ...audited(role, values) }));
    else await call(roleAdd({ body: values }));
    notify('success', t(role ? 'role.changed' : 'role.added', { name: values.nameZh }));
    await Promise.all([refresh(), refreshMenu()]);
  };
  return (
    <FormDrawer<NewRole>
      asked={role ? 'modify' : 'submit'}
      title={role ? t('role.editTitle', { name: role.name }) : t('role.add')}
      open
      initialValues={role ?? { spansTenants: false, permissions: [] }}
      onSubmit={save}
      onClose={onClose}
    >
      {role && hasRole([role.code]) && (
        <Form.Item>
          <Alert type="warning" showIcon title={t('role.yours')} />
        </Form.Item>
      )}
      {!role && (
        <Form.Item
          name="code"
          label={t('role.code')}
          extra={t('codeHint')}
          rules={[{ required: true, pattern: /^[a-z0-9][a-z0-9-]*$/, message: t('codeFault') }]}
        >
          <Input {...upTo(50)} />
        </Form.Item>
      )}
      {(['nameZh', 'nameEn'] as const).map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`role.${name}`)}
          rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
        >
          <Input {...upTo(50)} disabled={isNamed} />
        </Form.Item>
      ))}
      {!role && tenants.length > 1 && (
        <Form.Item name="customerId" label={t('role.scope')} extra={t('role.scopeHint')}>
          <Select
            allowClear
            placeholder={t('role.scopes.any')}
            options={tenants.map(({ customerid, name }) => ({ value: customerid, label: name }))}
          />
        </Form.Item>
      )}
      {tenants.length > 1 && (
        <Form.Item
          name="spansTenants"
          label={t('role.spansTenants')}
          extra={t('role.spansTenantsHint')}
          valuePropName="checked"
        >
          <Switch />
        </Form.Item>
      )}
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
      <Form.Item name="permissions" label={t('role.permissions')} extra={t('role.permissionsHint')}>
        <PermissionMatrix offer={offer} />
      </Form.Item>
    </FormDrawer>
  );
}
