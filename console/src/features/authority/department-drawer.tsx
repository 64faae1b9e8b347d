import { Form, Input, InputNumber, Select, TreeSelect } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type DepartmentRecord,
  departmentAdd,
  departmentEdit,
  type NewDepartment,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { departmentOptions, useDepartments, useRefresh, useTenants } from './queries';

interface Props {
  /** A new department beneath this one. */
  above?: DepartmentRecord;
  /** The department to change. */
  edit?: DepartmentRecord;
  onClose: () => void;
}

export default function DepartmentDrawer({ above, edit, onClose }: Props) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const save = async (values: NewDepartment) => {
    const body = { ...values, parentId: values.parentId ?? null };
    if (edit) await call(departmentEdit({ body: { ...body, id: edit.id }, ...audited(edit, body) }));
    else await call(departmentAdd({ body }));
    notify('success', t(edit ? 'department.changed' : 'department.added', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<NewDepartment>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('department.editTitle', { name: edit.name }) : t('department.add')}
      open
      initialValues={edit ?? { parentId: above?.id, customerId: above?.customerId, position: 0 }}
      onSubmit={save}
      onClose={onClose}
    >
      <PlaceFields edit={edit} tenantOf={(edit ?? above)?.customerId} />
      <Form.Item
        name="name"
        label={t('department.name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(50)} />
      </Form.Item>
      <Form.Item name="position" label={t('department.position')} extra={t('department.positionHint')}>
        <InputNumber controls={false} min={0} max={9999} precision={0} />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** Tenant and department above; the tenant of a department that is there stays. */
function PlaceFields({ edit, tenantOf }: { edit?: DepartmentRecord; tenantOf?: string }) {
  const { t } = useTranslation('authority');
  const form = Form.useFormInstance<NewDepartment>();
  const tenants = useTenants().data ?? [];
  const own = tenants.length === 1 ? tenants[0]?.customerid : undefined;
  const customerId = Form.useWatch('customerId', form) ?? tenantOf ?? own;
  const departments = useDepartments(customerId ?? undefined).data ?? [];
  return (
    <>
      {tenants.length > 1 && (
        <Form.Item name="customerId" label={t('user.tenant')}>
          <Select
            disabled={tenantOf !== undefined}
            placeholder={t('user.ownTenant')}
            options={tenants.map(({ customerid, name }) => ({ value: customerid, label: name }))}
            onChange={() => form.setFieldsValue({ parentId: undefined })}
          />
        </Form.Item>
      )}
      <Form.Item name="parentId" label={t('department.above')}>
        <TreeSelect
          allowClear
          treeDefaultExpandAll
          placeholder={t('department.topmost')}
          treeData={departmentOptions(departments, edit?.id)}
        />
      </Form.Item>
    </>
  );
}
