import { PlayCircleOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ApiInput,
  type ApiParameter,
  type ApiTrial,
  call,
  dataServiceTryApi,
  type TrialRows,
} from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { duration } from '@/shared/lib/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { GROUPS } from './queries';

/** Runs what stands in the form around it once, and shows the first rows. */
export function Trial() {
  const { t } = useTranslation('data-service');
  const form = Form.useFormInstance<ApiInput>();
  const parameters = (Form.useWatch('parameters', form) ?? []).filter((one) => one?.name);
  const [values, setValues] = useState<Record<string, string>>({});
  const trial = useMutation({ mutationFn: (body: ApiTrial) => call(dataServiceTryApi({ body })) });
  if (!useMay(GROUPS)('operate')) return null;
  const run = () => {
    const { groupId, statement, rowLimit, timeoutMs } = form.getFieldsValue(true) as ApiInput;
    const given = typedValues(parameters, values);
    trial.mutate({ groupId, statement, rowLimit, timeoutMs, parameters, values: given });
  };
  return (
    <section className="data-service-trial" aria-label={t('trial.title')}>
      <h2>{t('trial.title')}</h2>
      <div className="data-service-values">
        {parameters.map(({ name, many }) => (
          <label key={name} htmlFor={`trial-${name}`}>
            <span>{name}</span>
            <Input
              id={`trial-${name}`}
              value={values[name] ?? ''}
              placeholder={many ? t('trial.many') : ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          </label>
        ))}
        <Button icon={<PlayCircleOutlined />} loading={trial.isPending} onClick={run}>
          {t('trial.run')}
        </Button>
      </div>
      {trial.error && <Alert type="error" showIcon title={trial.error.message} />}
      {trial.data && <Rows found={trial.data} />}
    </section>
  );
}

/** What was typed, as the call takes it; an empty field is left out. */
function typedValues(parameters: readonly ApiParameter[], values: Record<string, string>) {
  const entries = parameters.flatMap(({ name, many }) => {
    const text = values[name];
    if (!text) return [];
    return [[name, many ? text.split(',') : text] as const];
  });
  return Object.fromEntries(entries);
}

interface Shown {
  key: string;
  cells: readonly unknown[];
}

function Rows({ found }: { found: TrialRows }) {
  const { t } = useTranslation('data-service');
  const rows: Shown[] = found.rows.map((cells, place) => ({ key: String(place), cells }));
  return (
    <>
      <p role="status">
        {t(found.more ? 'trial.more' : 'trial.done', {
          count: rows.length,
          time: duration(found.durationMs),
        })}
      </p>
      <div className="data-service-rows">
        <PlainTable
          label={t('trial.rows')}
          rows={rows}
          rowKey={({ key }) => key}
          columns={found.columns.map(({ name }, place) => ({
            key: name,
            title: name,
            render: ({ cells }: Shown) => shown(cells[place]),
          }))}
        />
      </div>
    </>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
