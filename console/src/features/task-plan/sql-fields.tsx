import { Form, Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PlanForm } from './plan-form';
import { useDatabaseChoice, useSqlChoice } from './queries';
import './task-plan.css';

const statementField: ['job', 'sql', 'statement'] = ['job', 'sql', 'statement'];
const databaseField: ['job', 'sql', 'database'] = ['job', 'sql', 'database'];

/** The saved SQL, where it runs, its limits, which answer is right, and where `exported` rows go. */
export function SqlFields({ exported = false }: { exported?: boolean }) {
  const { t } = useTranslation('task-plan');
  return (
    <>
      <Statement />
      <Database />
      {exported && <ExportFile />}
      <Limit name="rowLimit" initial={exported ? 100_000 : 1000} most={exported ? 100_000 : 10_000} />
      <Limit name="timeLimitSeconds" initial={60} most={600} />
      <Form.Item name={['job', 'sql', 'expect']} label={t('expect')} initialValue="any">
        <Select
          options={(['any', 'some', 'none'] as const).map((value) => ({
            value,
            label: t(`expects.${value}`),
          }))}
        />
      </Form.Item>
    </>
  );
}

function Statement() {
  const { t } = useTranslation('task-plan');
  const form = Form.useFormInstance<PlanForm>();
  const saved = useSqlChoice();
  const chosen: string | undefined = Form.useWatch(statementField, form);
  const statement = saved.data?.records.find(({ id }) => id === chosen)?.statement;
  const takeUsualDatabase = (wanted: string) => {
    const usual = saved.data?.records.find(({ id }) => id === wanted)?.databaseId;
    if (usual) form.setFieldValue(databaseField, usual);
  };
  return (
    <Form.Item
      name={statementField}
      label={t('sql')}
      rules={[{ required: true, message: t('sqlFault') }]}
      extra={saved.error?.message ?? (statement && <pre className="task-plan-sql">{statement}</pre>)}
    >
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        loading={saved.isPending}
        notFoundContent={t('noSql')}
        onChange={takeUsualDatabase}
        options={saved.data?.records.map(({ id, description }) => ({ value: id, label: description }))}
      />
    </Form.Item>
  );
}

function Database() {
  const { t } = useTranslation('task-plan');
  const databases = useDatabaseChoice();
  return (
    <Form.Item
      name={databaseField}
      label={t('database')}
      rules={[{ required: true, message: t('databaseFault') }]}
      extra={databases.error?.message ?? t('databaseHint')}
    >
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        loading={databases.isPending}
        notFoundContent={t('noDatabases')}
        options={databases.data?.map(({ id, name, place }) => ({ value: id, label: `${name} · ${place}` }))}
      />
    </Form.Item>
  );
}

const fileName = /^[^./\\][^/\\]*(\/[^./\\][^/\\]*)*\.(csv|jsonl)$/;

function ExportFile() {
  const { t } = useTranslation('task-plan');
  return (
    <Form.Item
      name={['job', 'export', 'file']}
      label={t('exportFile')}
      rules={[{ required: true, pattern: fileName, message: t('exportFileFault') }]}
      extra={t('exportFileHint')}
    >
      <Input maxLength={200} placeholder="reports/orders-{date}.csv" />
    </Form.Item>
  );
}

interface LimitProps {
  name: 'rowLimit' | 'timeLimitSeconds';
  initial: number;
  most: number;
}

function Limit({ name, initial, most }: LimitProps) {
  const { t } = useTranslation('task-plan');
  return (
    <Form.Item
      name={['job', 'sql', name]}
      label={t(name)}
      initialValue={initial}
      rules={[{ required: true, message: t('numberFault') }]}
    >
      <InputNumber min={1} max={most} precision={0} />
    </Form.Item>
  );
}
