import { CheckCircleFilled } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { ConnectionForm } from '@/shared/widgets/data-source/connection-form';
import { useConnectionTest } from '@/shared/widgets/data-source/connection-test';
import { type ConnectionValues, carriedValues, type Kind } from '@/shared/widgets/data-source/kind';
import { KindDialog } from '@/shared/widgets/data-source/kind-dialog';
import { choiceOf, testConnection, useKinds } from '@/shared/widgets/data-source/queries';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';
import { type ConnectionDraft, fingerprint, hasPassed, type Side } from './draft';
import { useDraft } from './draft-store';
import { StepFrame } from './step-frame';
import { useWizard } from './wizard-context';

/** Type and connection of one side. The next step opens only after the test passed with exactly these values. */
export function ConnectionStep({ side }: { side: Side }) {
  const { t } = useTranslation('sync-link');
  const kinds = useKinds(side === 'source' ? 'publish' : 'subscribe');
  if (kinds.error && !kinds.data) return <ErrorState error={kinds.error} onRetry={kinds.refetch} />;
  if (!kinds.data) return <LoadingState rows={6} />;
  return (
    <SideForm
      side={side}
      kinds={kinds.data}
      title={t(`wizard.${side}.title`)}
      hint={t(`wizard.${side}.hint`)}
    />
  );
}

const aboutOf = (kind: Kind) => ({
  ...kind.place,
  secrets: kind.options.filter(({ type }) => type === 'secret').map(({ name }) => name),
});

interface SideFormProps {
  side: Side;
  kinds: readonly Kind[];
  title: string;
  hint: string;
}

function SideForm({ side, kinds, title, hint }: SideFormProps) {
  const { t } = useTranslation(['sync-link', 'data-source']);
  const { next } = useWizard();
  const [form] = Form.useForm<ConnectionValues>();
  const { draft, change } = useDraft();
  const [isChoosing, setChoosing] = useState(false);
  const { test, run, dismiss } = useConnectionTest();
  const connection = draft[side];
  const kind = kinds.find((candidate) => candidate.moduletype === connection.kind);

  const set = (part: Partial<ConnectionDraft>) => change({ [side]: { ...connection, ...part } });
  const choose = (chosen: Kind) => {
    if (chosen.moduletype === connection.kind) return;
    const values = carriedValues(chosen, connection.values);
    // What is in the form already would win over what another kind's form begins with.
    const cleared = Object.keys(form.getFieldsValue(true)).map((name) => [name, undefined]);
    form.setFieldsValue({ ...Object.fromEntries(cleared), ...values });
    set({ kind: chosen.moduletype, about: aboutOf(chosen), values, passed: undefined });
  };
  const runTest = async () => {
    const values = await form.validateFields().catch(() => undefined);
    if (!values || !kind) return;
    const passed = await run(() => testConnection(side, choiceOf(connection)));
    if (passed) set({ passed: fingerprint(connection) });
  };
  const isPassed = hasPassed(connection);
  const isRunning = test?.phase === 'running';

  return (
    <StepFrame
      title={title}
      hint={hint}
      onNext={isPassed ? next : runTest}
      nextLabel={isPassed ? t('wizard.next') : t('data-source:test.run')}
      blocked={kind ? undefined : t('data-source:kind.none')}
      isBusy={isRunning}
      actions={isPassed && <Button onClick={runTest}>{t('data-source:test.again')}</Button>}
    >
      <div className="wizard-kind">
        <span className="wizard-label">{t('wizard.kind')}</span>
        {kind && <strong>{kind.label}</strong>}
        <Button type={kind ? 'default' : 'primary'} onClick={() => setChoosing(true)}>
          {kind ? t('data-source:kind.change') : t('data-source:kind.choose')}
        </Button>
        {isPassed && (
          <span className="wizard-passed" role="status">
            <CheckCircleFilled aria-hidden /> {t('wizard.testPassed')}
          </span>
        )}
      </div>
      {kind && (
        <ConnectionForm
          form={form}
          kind={kind}
          values={connection.values}
          onChange={(values) => set({ values })}
          onSubmit={runTest}
        />
      )}
      <KindDialog
        open={isChoosing}
        kinds={kinds}
        chosen={connection.kind}
        onChoose={choose}
        onClose={() => setChoosing(false)}
      />
      {test && (
        <TestDialog
          open
          test={test}
          onAgain={runTest}
          onClose={dismiss}
          onward={{ label: t('wizard.next'), go: next }}
        />
      )}
    </StepFrame>
  );
}
