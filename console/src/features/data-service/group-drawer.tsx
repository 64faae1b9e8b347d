import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type DataServiceRecord,
  dataServiceAddGroup,
  dataServiceEditGroup,
  type GroupInput,
  type GroupRecord,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { OptionItem } from '@/shared/widgets/data-source/connection-form';
import { defaultValues, type Kind } from '@/shared/widgets/data-source/kind';
import { useKinds } from '@/shared/widgets/data-source/queries';
import { useRefresh, useServices } from './queries';

interface Props {
  /** Left out: a new group. */
  edit?: GroupRecord | undefined;
  onClose: () => void;
}

const CONNECTION = 'connection';

/** An API group: where it is found, and the database that its APIs read. */
export default function GroupDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('data-service');
  const services = useServices();
  const kinds = useKinds('publish');
  if (!services.data || !kinds.data)
    return <WaitingDrawer title={t('group.one')} queries={[services, kinds]} onClose={onClose} />;
  const offered = kinds.data.filter(({ valid }) => valid === 1);
  return <GroupForm edit={edit} services={services.data} kinds={offered} onClose={onClose} />;
}

interface FormProps extends Props {
  services: readonly DataServiceRecord[];
  /** At least one. */
  kinds: readonly Kind[];
}

function GroupForm({ edit, services, kinds, onClose }: FormProps) {
  const { t } = useTranslation('data-service');
  const refresh = useRefresh();
  const [first] = kinds;
  const save = async (values: GroupInput) => {
    if (edit) {
      const reported = { ...values, connection: { ...values.connection, password: undefined } };
      await call(dataServiceEditGroup({ body: { ...values, id: edit.id }, ...audited(edit, reported) }));
    } else await call(dataServiceAddGroup({ body: values }));
    notify('success', t('saved', { name: values.name }));
    await refresh();
  };
  const fresh = first && { connection: { ...defaultValues(first), kind: first.moduletype } };
  return (
    <FormDrawer<GroupInput>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('group.editTitle', { name: edit.name }) : t('group.add')}
      open
      initialValues={edit ?? fresh}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item
        name="dataServiceId"
        label={t('service.one')}
        extra={services.length === 0 ? t('group.noServices') : undefined}
        rules={[{ required: true, message: t('group.chooseService') }]}
      >
        <Select
          options={services.map(({ id, name, host, port }) => ({
            value: id,
            label: `${name} (${host}:${port})`,
          }))}
        />
      </Form.Item>
      <Form.Item
        name="prefix"
        label={t('group.prefix')}
        extra={t('group.prefixHint')}
        rules={[{ required: true, pattern: /^[a-z0-9][a-z0-9_-]*$/, message: t('pathFault') }]}
      >
        <Input {...upTo(100)} addonBefore="/" />
      </Form.Item>
      <Form.Item name="owner" label={t('group.owner')}>
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item name={[CONNECTION, 'kind']} label={t('group.kind')} extra={t('group.sourceHint')}>
        <Select
          disabled={edit !== undefined}
          options={kinds.map(({ moduletype, label }) => ({ value: moduletype, label }))}
        />
      </Form.Item>
      <Form.Item noStyle dependencies={[[CONNECTION, 'kind']]}>
        {({ getFieldValue }) => (
          <ConnectionItems
            kind={kinds.find((kind) => kind.moduletype === getFieldValue([CONNECTION, 'kind']))}
          />
        )}
      </Form.Item>
      {edit && <p>{t('group.passwordHint')}</p>}
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

function ConnectionItems({ kind }: { kind: Kind | undefined }) {
  return kind?.options.map((option) => <OptionItem key={option.name} option={option} within={CONNECTION} />);
}
