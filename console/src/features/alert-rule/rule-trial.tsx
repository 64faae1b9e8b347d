import { Alert, Button, Form, Select, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alertRuleTryOut, call, type MetricChoice, type RuleTrialRecord } from '@/shared/api';
import { ApiError } from '@/shared/api/errors';
import { failureText } from '@/shared/api/notices';
import { showFaults } from '@/shared/ui/form-faults';
import { type RuleForm, trialOf } from './rule-form';
import { TrialResult } from './trial-result';

const spans = [1, 7, 30] as const;
const fields = ['kind', 'metric', 'comparison', 'threshold', 'seconds'];

interface Tried {
  found: RuleTrialRecord;
  metric: MetricChoice;
}

/** Shows when the rule in the form would have fired, before it is saved. */
export function RuleTrial({ metrics }: { metrics: readonly MetricChoice[] | undefined }) {
  const { t } = useTranslation('alert-rule');
  const form = Form.useFormInstance<RuleForm>();
  const [days, setDays] = useState<number>(7);
  const [isRunning, setRunning] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const [failure, setFailure] = useState<string>();
  const run = async () => {
    const values: RuleForm = await form.validateFields(fields).then(() => form.getFieldsValue(true));
    const metric = metrics?.find(({ kind, name }) => kind === values.kind && name === values.metric);
    if (!metric) return;
    setRunning(true);
    setTried(undefined);
    setFailure(undefined);
    try {
      setTried({ found: await call(alertRuleTryOut({ body: trialOf(values, metric, days) })), metric });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (Object.keys(error.fields).length > 0) showFaults(form, error);
      else setFailure(failureText(error, 'status'));
    } finally {
      setRunning(false);
    }
  };
  return (
    <section className="alert-rule-trial" aria-label={t('trial')}>
      <h2>{t('trial')}</h2>
      <p>{t('trialHint')}</p>
      <Space>
        <Select
          aria-label={t('trialSpan')}
          value={days}
          onChange={setDays}
          options={spans.map((value) => ({ value, label: t('lastDays', { count: value }) }))}
        />
        {/* What is wrong with a field is shown at the field. */}
        <Button onClick={() => run().catch(ignoreFaults)} loading={isRunning}>
          {t('tryOut')}
        </Button>
      </Space>
      <div aria-live="polite">
        {failure && <Alert type="error" showIcon title={failure} />}
        {tried && <TrialResult {...tried} />}
      </div>
    </section>
  );
}

function ignoreFaults(error: unknown): void {
  if (!(error instanceof Object && 'errorFields' in error)) throw error;
}
