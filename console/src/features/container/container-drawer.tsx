import { Form, Input, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  type ClusterRecord,
  call,
  clusterAdd,
  clusterEdit,
  type JoinOffer,
  type NewContainer,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh, useTenants } from './queries';

interface Props {
  /** Left out: a new container. */
  edit?: ClusterRecord | undefined;
  /** What joins the first host of a new container. */
  onAdded?: (offer: JoinOffer) => void;
  onClose: () => void;
}

export default function ContainerDrawer({ edit, onAdded, onClose }: Props) {
  const { t } = useTranslation('container');
  const refresh = useRefresh();
  const save = async (values: NewContainer) => {
    if (edit) await call(clusterEdit({ body: { ...values, id: edit.id }, ...audited(edit, values) }));
    else onAdded?.(await call(clusterAdd({ body: values })));
    notify('success', t(edit ? 'changed' : 'added', { name: values.displayName }));
    await refresh();
  };
  return (
    <FormDrawer<NewContainer>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('editTitle', { name: edit.displayName }) : t('add')}
      open
      initialValues={edit ?? { movesServices: true, customerid: null }}
      onSubmit={save}
      onClose={onClose}
    >
      {!edit && <LastingFields />}
      <Form.Item
        name="displayName"
        label={t('displayName')}
        rules={[{ required: true, whitespace: true, message: t('displayNameFault') }]}
      >
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item name="movesServices" label={t('movesServices')} extra={t('movesServicesHint')}>
        <Switch />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** What cannot be changed later. */
function LastingFields() {
  const { t } = useTranslation('container');
  const tenants = useTenants().data ?? [];
  return (
    <>
      <Form.Item
        name="containerName"
        label={t('name')}
        extra={t('nameHint')}
        rules={[{ required: true, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, message: t('nameFault') }]}
      >
        <Input {...upTo(44)} spellCheck={false} />
      </Form.Item>
      <Form.Item name="customerid" label={t('tenant')} extra={t('tenantHint')}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={[
            { value: null, label: t('everyTenant') },
            ...tenants.map(({ customerid, name }) => ({ value: customerid, label: name })),
          ]}
        />
      </Form.Item>
    </>
  );
}
