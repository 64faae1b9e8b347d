import { Form, Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  type ApiDetail,
  type ApiInput,
  audited,
  call,
  dataServiceAddApi,
  dataServiceEditApi,
  type GroupRecord,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { useGrammar } from '@/shared/widgets/data-source/queries';
import { SqlField } from '@/shared/widgets/sql-editor/field';
import { ParameterItems } from './parameter-items';
import { useApi, useGroupChoice, useRefresh } from './queries';
import { Trial } from './trial';
import './data-service.css';

interface Props {
  /** Left out: a new API. */
  id?: string | undefined;
  onClose: () => void;
}

const WIDTH = '60%';
const usual = { parameters: [], rowLimit: 1000, timeoutMs: 10_000, cacheS: 0, statement: '' };

/** An API: where it is found, what it asks, and trying it. */
export default function ApiDrawer({ id, onClose }: Props) {
  const { t } = useTranslation('data-service');
  const api = useApi(id);
  const groups = useGroupChoice();
  if ((id !== undefined && !api.data) || !groups.data)
    return <WaitingDrawer title={t('api.one')} queries={[api, groups]} size={WIDTH} onClose={onClose} />;
  return <Editor api={api.data} groups={groups.data.records} onClose={onClose} />;
}

interface EditorProps {
  api: ApiDetail | undefined;
  groups: readonly GroupRecord[];
  onClose: () => void;
}

function Editor({ api, groups, onClose }: EditorProps) {
  const { t } = useTranslation('data-service');
  const refresh = useRefresh();
  const save = async (values: ApiInput) => {
    if (api) await call(dataServiceEditApi({ body: { ...values, id: api.id }, ...audited(api, values) }));
    else await call(dataServiceAddApi({ body: values }));
    notify('success', t(api ? 'saved' : 'api.added', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<ApiInput>
      asked={api ? 'modify' : 'submit'}
      title={api ? t('api.editTitle', { name: api.name }) : t('api.add')}
      open
      size={WIDTH}
      initialValues={api ?? { ...usual, groupId: groups[0]?.id }}
      onSubmit={save}
      onClose={onClose}
    >
      {api && <p className="data-service-address">{t('api.address', { address: api.address })}</p>}
      <div className="data-service-row">
        <Form.Item
          name="name"
          label={t('name')}
          rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
        >
          <Input {...upTo(100)} />
        </Form.Item>
        <Form.Item
          name="groupId"
          label={t('group.one')}
          extra={groups.length === 0 ? t('api.noGroups') : undefined}
          rules={[{ required: true, message: t('api.chooseGroup') }]}
        >
          <Select
            disabled={api !== undefined}
            options={groups.map((group) => ({ value: group.id, label: `${group.name} (/${group.prefix})` }))}
          />
        </Form.Item>
        <Form.Item
          name="path"
          label={t('api.path')}
          rules={[
            {
              required: true,
              pattern: /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)*$/,
              message: t('pathFault'),
            },
          ]}
        >
          <Input {...upTo(100)} />
        </Form.Item>
      </div>
      <Form.Item noStyle dependencies={['groupId']}>
        {({ getFieldValue }) => (
          <Statement group={groups.find((group) => group.id === getFieldValue('groupId'))} />
        )}
      </Form.Item>
      <ParameterItems />
      <div className="data-service-row">
        <Form.Item
          name="rowLimit"
          label={t('api.rowLimit')}
          rules={[{ required: true, message: t('numberFault') }]}
        >
          <InputNumber controls={false} min={1} max={100_000} precision={0} />
        </Form.Item>
        <Form.Item
          name="timeoutMs"
          label={t('api.timeout')}
          rules={[{ required: true, message: t('numberFault') }]}
        >
          <InputNumber controls={false} min={100} max={600_000} precision={0} />
        </Form.Item>
        <Form.Item
          name="cacheS"
          label={t('api.cache')}
          rules={[{ required: true, message: t('numberFault') }]}
        >
          <InputNumber controls={false} min={0} max={86_400} precision={0} />
        </Form.Item>
      </div>
      <Form.Item name="remark" label={t('remark')}>
        <Input {...upTo(200)} />
      </Form.Item>
      <Trial />
    </FormDrawer>
  );
}

/** Coloured as the group's database writes it. */
function Statement({ group }: { group: GroupRecord | undefined }) {
  const { t } = useTranslation('data-service');
  const grammar = useGrammar(group?.connection.kind);
  return (
    <Form.Item
      name="statement"
      label="SQL"
      extra={t('api.statementHint')}
      rules={[{ required: true, whitespace: true, message: t('api.statementFault') }]}
    >
      <SqlField grammar={grammar} height={180} />
    </Form.Item>
  );
}
