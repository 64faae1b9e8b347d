import { Button, Steps } from 'antd';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { PageHead } from '@/shared/ui/page-head';
import { ConnectionStep } from './connection-step';
import { allowedStep, isDone, isUntouched } from './draft';
import { rememberDraft, useDraft } from './draft-store';
import { MappingStep } from './mapping-step';
import { PrecheckStep } from './precheck-step';
import { StartStep } from './start-step';
import { neighbourStep, type Step, stepOf, steps } from './steps';
import { TablesStep } from './tables-step';
import { WizardContext } from './wizard-context';
import '@/shared/widgets/sync/sync.css';
import './wizard.css';

const defaults = { step: 'source' };

/** Makes a sync link step by step. The step stands in the address; a step opens when all before it are done. */
export default function NewLinkPage() {
  const { t } = useTranslation('sync-link');
  const [{ step: wanted }, setUrl] = useUrlState(defaults);
  const { draft, startOver } = useDraft();
  const step = allowedStep(draft, stepOf(wanted));

  // A reload (switching the language is one) must not lose what was filled in.
  useEffect(() => {
    window.addEventListener('pagehide', rememberDraft);
    return () => {
      window.removeEventListener('pagehide', rememberDraft);
      rememberDraft();
    };
  }, []);

  const wizard = useMemo(() => {
    const go = (by: 1 | -1) => {
      const to = neighbourStep(step, by);
      return to ? () => setUrl({ step: to }) : undefined;
    };
    return { previous: go(-1), next: go(1) ?? (() => {}) };
  }, [step, setUrl]);

  const again = () => {
    startOver();
    setUrl({ step: 'source' });
  };

  return (
    <div className="page wizard">
      <PageHead
        title={t('wizard.title')}
        actions={isUntouched(draft) ? undefined : <Button onClick={again}>{t('wizard.startOver')}</Button>}
      />
      <Steps
        className="wizard-steps"
        current={steps.indexOf(step)}
        onChange={(index) => setUrl({ step: steps[index] ?? 'source' })}
        items={steps.map((each) => ({
          title: t(`wizard.step.${each}`),
          disabled: allowedStep(draft, each) !== each,
          status:
            each !== step && isDone(draft, each) && allowedStep(draft, each) === each ? 'finish' : undefined,
        }))}
      />
      <WizardContext value={wizard}>
        <StepContent step={step} />
      </WizardContext>
    </div>
  );
}

function StepContent({ step }: { step: Step }) {
  switch (step) {
    case 'source':
    case 'target':
      return <ConnectionStep key={step} side={step} />;
    case 'tables':
      return <TablesStep />;
    case 'mapping':
      return <MappingStep />;
    case 'precheck':
      return <PrecheckStep />;
    case 'start':
      return <StartStep />;
  }
}
