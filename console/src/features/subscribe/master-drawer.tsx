import { Checkbox, Form, Input, InputNumber, Select, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type MasterRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { NameField } from '@/shared/ui/name-field';
import { upTo } from '@/shared/ui/up-to';
import { AppliersField, ThreadsField } from './channel-drawer';
import { ModeFields } from './clean-drawer';
import { CustomerField } from './customer-field';
import { LoadTypeField } from './load-type-field';
import { calls, type MasterBody, usePublishNodes, useRefresh } from './queries';
import { TargetFields } from './target-fields';

interface Props {
  /** What is edited; left out: a new one. */
  master?: MasterRecord;
  /** Whose new one it is. */
  customerId?: string | undefined;
  onClose: () => void;
}

const MAX_NAME_LENGTH = 128;
const MAX_CHANNELS = 64;
const fresh = {
  startFull: true,
  clean: 'none',
  ddl: 'stop',
  schema: '',
  prefix: '',
  suffix: '',
  nameCase: 'default',
  columnCase: 0,
  loadType: 'C',
  channelCount: 1,
  threads: 2,
  lanes: 1,
  start: true,
} as const;

/** A master: what it applies where, and what its tables begin with. */
export default function MasterDrawer({ master, customerId, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const refresh = useRefresh();
  const save = async (values: MasterBody) => {
    if (master) await call(calls.editMaster({ body: { ...values, controlId: master.id } }));
    else await call(calls.addMaster({ body: values }));
    await refresh();
    notify('success', t('saved', { name: values.name }));
  };
  const initial = master
    ? { name: master.name, loadType: master.loadType, ...master.settings }
    : { ...fresh, customerId };
  return (
    <FormDrawer<MasterBody>
      asked={master ? 'modify' : 'submit'}
      title={master ? t('master.edit', { name: master.name }) : t('master.create')}
      open={isActive}
      initialValues={initial}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField label={t('master.name')} emptyFault={t('master.nameFault')} />
      {!master && <Ends />}
      <LoadTypeField extra={t('master.loadTypeHint')} />
      <Beginning />
      {!master && <ChannelFields />}
    </FormDrawer>
  );
}

/** From which publish node, to which database. */
function Ends() {
  const { t } = useTranslation('subscribe');
  const nodes = usePublishNodes();
  const form = Form.useFormInstance();
  return (
    <>
      <CustomerField onChange={() => form.resetFields(['databaseId'])} />
      <TargetFields />
      <Form.Item
        name="nodeMaster"
        label={t('node')}
        extra={nodes.error?.message ?? t('master.nodeHint')}
        rules={[{ required: true, message: t('master.chooseNode') }]}
      >
        <Select
          loading={!nodes.data && !nodes.error}
          options={(nodes.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          showSearch={{ optionFilterProp: 'label' }}
        />
      </Form.Item>
    </>
  );
}

/** What tables that are added from now on begin with. */
function Beginning() {
  const { t } = useTranslation('subscribe');
  return (
    <>
      <Form.Item name="startFull" valuePropName="checked" extra={t('master.startFullHint')}>
        <Checkbox>{t('master.startFull')}</Checkbox>
      </Form.Item>
      <ModeFields />
      <Form.Item
        name="schema"
        label={t('master.schema')}
        extra={t('master.schemaHint')}
        rules={[{ max: MAX_NAME_LENGTH, message: t('master.schemaFault', { maximum: MAX_NAME_LENGTH }) }]}
      >
        <Input />
      </Form.Item>
      <Form.Item label={t('master.tableNames')} extra={t('master.tableNamesHint')}>
        <Space.Compact block>
          <Form.Item name="prefix" noStyle>
            <Input aria-label={t('master.prefix')} placeholder={t('master.prefix')} {...upTo(64)} />
          </Form.Item>
          <Form.Item name="suffix" noStyle>
            <Input aria-label={t('master.suffix')} placeholder={t('master.suffix')} {...upTo(64)} />
          </Form.Item>
        </Space.Compact>
      </Form.Item>
      <Form.Item name="nameCase" label={t('master.nameCase')}>
        <Select
          options={(['default', 'upper', 'lower'] as const).map((value) => ({
            value,
            label: t(`nameCase.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item name="columnCase" label={t('master.columnCase')} extra={t('master.columnCaseHint')}>
        <Select options={([0, 1] as const).map((value) => ({ value, label: t(`columnCase.${value}`) }))} />
      </Form.Item>
    </>
  );
}

function ChannelFields() {
  const { t } = useTranslation('subscribe');
  return (
    <>
      <Form.Item
        name="channelCount"
        label={t('master.channelCount')}
        extra={t('master.channelCountHint')}
        rules={[
          {
            required: true,
            type: 'integer',
            min: 1,
            max: MAX_CHANNELS,
            message: t('master.channelCountFault', { maximum: MAX_CHANNELS }),
          },
        ]}
      >
        <InputNumber controls={false} />
      </Form.Item>
      <ThreadsField />
      <AppliersField />
      <Form.Item name="start" valuePropName="checked">
        <Checkbox>{t('channel.startAtOnce')}</Checkbox>
      </Form.Item>
    </>
  );
}
