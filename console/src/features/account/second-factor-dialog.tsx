import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type SecondFactorState,
  secondFactorGetState,
  secondFactorRemoveAuthenticator,
  secondFactorRenewRecoveryCodes,
  secondFactorTurnOff,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { keyPlace } from './proof';
import { RecoveryCodes } from './recovery-codes';
import { AddKey, ProofForm, SetUp } from './second-factor-forms';
import { type Step, TurnedOff, TurnedOn } from './second-factor-state';
import { RemoveKey, RenameKey } from './security-key-forms';
import './account.css';

const QUERY = ['account', 'second-factor'];

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
    setStep(codes.length > 0 ? { what: 'codes', codes } : { what: 'state' });
    return client.invalidateQueries({ queryKey: QUERY, exact: true });
  };
  const done = (text: string) => {
    notify('success', text);
    return show([]);
  };
  const turnedOff = () => {
    notify('success', t('secondFactor.turnedOff'));
    onClose();
  };
  const content = () => {
    if (step.what === 'codes') return <RecoveryCodes codes={step.codes} onDone={onClose} />;
    if (state.error) return <ErrorState error={state.error} onRetry={state.refetch} />;
    if (!state.data) return <LoadingState />;
    if (!state.data.isOn) return <TurnedOff state={state.data} onDone={show} />;
    const given = { state: state.data, onShow: show, onDone: done, onOff: turnedOff };
    return <Change {...given} step={step} onStep={setStep} />;
  };
  return (
    <Modal
      open
      width={600}
      title={t('secondFactor.title')}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {content()}
    </Modal>
  );
}

interface ChangeProps {
  state: SecondFactorState;
  step: Step;
  onStep: (step: Step) => void;
  /** New recovery codes, to be kept; none: back to the state. */
  onShow: (codes: readonly string[]) => void;
  /** Says what was done, and goes back to the state. */
  onDone: (text: string) => void;
  onOff: () => void;
}

function Change({ state, step, onStep, onShow, onDone, onOff }: ChangeProps) {
  const { t } = useTranslation(['account', 'common']);
  const hasKey = keyPlace(state.keyAddress) === 'here' && state.keys.some((key) => key.isUsable);
  const back = <Button onClick={() => onStep({ what: 'state' })}>{t('common:action.cancel')}</Button>;
  const given = { hasKey, back };
  switch (step.what) {
    case 'off':
      return (
        <ProofForm
          {...given}
          danger
          explained={t('account:secondFactor.explained.off')}
          action={t('account:secondFactor.turnOff')}
          run={(body) => call(secondFactorTurnOff({ body }))}
          onDone={onOff}
        />
      );
    case 'renew':
      return (
        <ProofForm
          {...given}
          explained={t('account:secondFactor.explained.renew')}
          action={t('account:secondFactor.renew')}
          run={async (body) => (await call(secondFactorRenewRecoveryCodes({ body }))).codes}
          onDone={onShow}
        />
      );
    case 'remove-app':
      return (
        <ProofForm
          {...given}
          danger
          explained={t('account:key.removeAppHint')}
          action={t('account:key.removeApp')}
          run={(body) => call(secondFactorRemoveAuthenticator({ body }))}
          onDone={() => onDone(t('account:key.appRemoved'))}
        />
      );
    case 'add-app':
      return <SetUp isOn back={back} onDone={onShow} />;
    case 'add-key':
      return <AddKey isOn {...given} onDone={onShow} />;
    case 'rename':
      return <RenameKey target={step.key} back={back} onDone={() => onDone(t('account:key.renamed'))} />;
    case 'remove':
      return (
        <RemoveKey
          {...given}
          target={step.key}
          state={state}
          onDone={() => onDone(t('account:key.removed'))}
        />
      );
    default:
      return <TurnedOn state={state} onStep={onStep} />;
  }
}
