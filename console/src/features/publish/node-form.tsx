import { Button, Checkbox, Form, type FormInstance, InputNumber, Select, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError, type ConnectionInput, type NodeInfo } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { useUnsaved } from '@/shared/pages/unsaved';
import { showFaults } from '@/shared/ui/form-faults';
import { NameField } from '@/shared/ui/name-field';
import { ConnectionForm } from '@/shared/widgets/data-source/connection-form';
import type { Kind } from '@/shared/widgets/data-source/kind';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';
import { useTestedConnection } from '@/shared/widgets/data-source/use-tested-connection';
import { useContainers } from '@/shared/widgets/selectors/queries';
import { useNodeChange, useNodeCreation } from './queries';
import './publish.css';

interface Settings {
  name: string;
  container?: string;
  retentionHours: number;
  heldLogGb?: number | null;
  start: boolean;
}

const MAX_HOURS = 8760;
const MAX_HELD_LOG_GB = 1_000_000;

/** Name, place and connection of a publish node. A new one is tested before it is made. */
export default function NodeForm({ kind, node }: { kind: Kind; node: NodeInfo | undefined }) {
  const { t } = useTranslation(['publish', 'data-source']);
  const navigate = useNavigate();
  const save = useSave(node);
  const keep = async (settings: Settings, connection: ConnectionInput) => {
    const id = await save.run(settings, connection, form);
    if (!id) return;
    saved();
    navigate(paths.publishNode(kind.moduletype, id), { replace: true });
  };
  const tested = useTestedConnection<Settings>(
    'source',
    kind,
    node && { place: node.source, named: { nodeMaster: node.id } },
    keep,
  );
  const { form, connectionForm, values, setValues, test, dismiss, runTest, submit } = tested;
  const home = node ? paths.publishNode(kind.moduletype, node.id) : paths.publishNodes();
  const saved = useUnsaved(() => form.isFieldsTouched() || connectionForm.isFieldsTouched());
  usePageTitle(node?.name ?? t('config.newTitle'));
  return (
    <section className="card connection-page">
      <h1>{t(node ? 'config.editTitle' : 'config.newTitle')}</h1>
      <div className="connection-kind">
        <img src={kind.pngpath} alt="" width={32} height={32} />
        <strong>{kind.label}</strong>
      </div>
      <SettingsForm form={form} kind={kind} node={node} onSubmit={submit} />
      <ConnectionForm
        form={connectionForm}
        kind={kind}
        values={values}
        onChange={setValues}
        onSubmit={submit}
        stored={node && { nodeMaster: node.id }}
      />
      {node && <p>{t('config.passwordHint')}</p>}
      <Space>
        <Button type="primary" loading={save.isBusy || test?.phase === 'running'} onClick={submit}>
          {t(node ? 'config.save' : 'config.testAndSave')}
        </Button>
        <Button onClick={runTest}>{t('data-source:test.run')}</Button>
        <Button onClick={() => navigate(home, { replace: true })}>{t('config.cancel')}</Button>
      </Space>
      {test && <TestDialog open test={test} onAgain={runTest} onClose={dismiss} />}
    </section>
  );
}

/** Returns the node's id; nothing after a refusal, which the form shows. */
function useSave(node: NodeInfo | undefined) {
  const { t } = useTranslation('publish');
  const creation = useNodeCreation();
  const change = useNodeChange(node);
  const run = async (
    { container, start, ...settings }: Settings,
    connection: ConnectionInput,
    form: FormInstance<Settings>,
  ) => {
    try {
      if (node) await change.mutateAsync({ ...settings, nodeMaster: node.id, connection });
      const place = { ...settings, start, container: container ?? null, connection };
      const id = node ? node.id : await creation.mutateAsync(place);
      notify('success', t(node ? 'config.changed' : 'config.created', { name: settings.name }));
      return id;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFaults(form, error, (reason) =>
        t(node ? 'config.changeFailed' : 'config.createFailed', { reason }),
      );
    }
  };
  return { run, isBusy: creation.isPending || change.isPending };
}

interface SettingsProps {
  form: ReturnType<typeof Form.useForm<Settings>>[0];
  kind: Kind;
  node: NodeInfo | undefined;
  onSubmit: () => void;
}

function SettingsForm({ form, kind, node, onSubmit }: SettingsProps) {
  const { t } = useTranslation('publish');
  const containers = useContainers();
  const initial = {
    name: node?.name ?? '',
    retentionHours: node?.retentionHours ?? 72,
    heldLogGb: node?.heldLogGb,
    start: true,
  };
  const options = (containers.data?.records ?? []).map(({ containerName, displayName }) => ({
    value: containerName,
    label: displayName || containerName,
  }));
  const hours = t('config.wholeNumber', { maximum: MAX_HOURS });
  const gigabytes = t('config.wholeNumber', { maximum: MAX_HELD_LOG_GB });
  return (
    <Form<Settings>
      form={form}
      name="publish-node"
      layout="vertical"
      initialValues={initial}
      onFinish={onSubmit}
    >
      <NameField label={t('list.name')} emptyFault={t('config.nameFault')} />
      {!node && (
        <Form.Item
          name="container"
          label={t('list.container')}
          extra={containers.error?.message ?? t('config.containerHint')}
        >
          <Select allowClear loading={!containers.data && !containers.error} options={options} />
        </Form.Item>
      )}
      <Form.Item
        name="retentionHours"
        label={t('config.retention')}
        extra={t('config.retentionHint')}
        rules={[{ required: true, type: 'integer', min: 1, max: MAX_HOURS, message: hours }]}
      >
        <InputNumber controls={false} suffix={t('config.hours')} />
      </Form.Item>
      {kind.retainsLog && (
        <Form.Item
          name="heldLogGb"
          label={t('config.heldLog')}
          extra={t('config.heldLogHint')}
          rules={[{ type: 'integer', min: 1, max: MAX_HELD_LOG_GB, message: gigabytes }]}
        >
          <InputNumber controls={false} suffix="GiB" />
        </Form.Item>
      )}
      {!node && (
        <Form.Item name="start" valuePropName="checked">
          <Checkbox>{t('config.start')}</Checkbox>
        </Form.Item>
      )}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Form>
  );
}
