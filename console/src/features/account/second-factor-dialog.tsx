import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Modal, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type SecondFactorState, secondFactorGetState } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { RecoveryCodes } from './recovery-codes';
import { ProofForm, SetUp } from './second-factor-forms';
import './account.css';

const QUERY = ['account', 'second-factor'];

type Step = { what: 'state' | 'off' | 'renew' } | { what: 'codes'; codes: readonly string[] };

/** Whether the viewer signs in with two steps, and how to change that. */
export default function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ what: 'state' });
  const state = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => call(secondFactorGetState({ signal })),
    staleTime: 0,
  });
  const show = (codes: readonly string[]) => {
    setStep({ what: 'codes', codes });
    return client.invalidateQueries({ queryKey: QUERY });
  };
  const turnedOff = () => {
    notify('success', t('secondFactor.turnedOff'));
    onClose();
  };
  const content = () => {
    if (step.what === 'codes') return <RecoveryCodes codes={step.codes} onDone={onClose} />;
    if (state.error) return <ErrorState error={state.error} onRetry={state.refetch} />;
    if (!state.data) return <LoadingState />;
    if (!state.data.isOn) return <SetUp onDone={show} />;
    const back = () => setStep({ what: 'state' });
    if (step.what === 'off') return <ProofForm what="off" onBack={back} onDone={turnedOff} />;
    if (step.what === 'renew') return <ProofForm what="renew" onBack={back} onDone={show} />;
    return <TurnedOn state={state.data} onStep={(what) => setStep({ what })} />;
  };
  return (
    <Modal
      open
      width={560}
      title={t('secondFactor.title')}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {content()}
    </Modal>
  );
}

interface TurnedOnProps {
  state: SecondFactorState;
  onStep: (what: 'off' | 'renew') => void;
}

function TurnedOn({ state, onStep }: TurnedOnProps) {
  const { t } = useTranslation('account');
  return (
    <>
      <p>{t('secondFactor.isOn')}</p>
      <dl className="second-factor-facts">
        <dt>{t('secondFactor.since')}</dt>
        <dd>
          <Moment at={state.turnedOnAt} />
        </dd>
        <dt>{t('secondFactor.left')}</dt>
        <dd>{state.recoveryCodesLeft}</dd>
      </dl>
      <Space>
        <Button onClick={() => onStep('renew')}>{t('secondFactor.renew')}</Button>
        <Button danger onClick={() => onStep('off')}>
          {t('secondFactor.turnOff')}
        </Button>
      </Space>
    </>
  );
}
