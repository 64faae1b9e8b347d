import { useQuery } from '@tanstack/react-query';
import { Button, Form, Input, QRCode } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type NewKeyAnswer,
  secondFactorAddKey,
  secondFactorBegin,
  secondFactorBeginKey,
  secondFactorTurnOn,
} from '@/shared/api';
import { registerKey } from '@/shared/lib/security-key';
import { CopyButton } from '@/shared/ui/copy-button';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { Confirmed, type Entered } from './confirmed';
import { askedKey, type Proof, proofOf } from './proof';
import './account.css';

/** New recovery codes; none where those made before stay. */
type Done = (codes: readonly string[]) => void;

interface SetUpProps {
  /** Two-step verification is on with security keys: one of them proves the viewer. */
  isOn?: boolean;
  /** The way back, where there is one. */
  back?: ReactNode;
  onDone: Done;
}

/** A new secret for the authenticator, and the first code that it shows. */
export function SetUp({ isOn = false, back, onDone }: SetUpProps) {
  const { t } = useTranslation('account');
  const begun = useQuery({
    queryKey: ['account', 'second-factor', 'set-up'],
    queryFn: ({ signal }) => call(secondFactorBegin({ signal })),
    // Another secret would make the one that was scanned useless, and none is to be kept.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (begun.error) return <ErrorState error={begun.error} onRetry={begun.refetch} />;
  if (!begun.data) return <LoadingState />;
  const { secret, address, handle } = begun.data;
  const turnOn = async ({ currentPassword, code = '' }: Entered) => {
    const key = isOn ? await askedKey() : null;
    return (await call(secondFactorTurnOn({ body: { currentPassword, code, key, handle } }))).codes;
  };
  return (
    <>
      <p>{t('secondFactor.intro')}</p>
      <ol className="second-factor-steps">
        <li>{t('secondFactor.scan')}</li>
        <li>{t(isOn ? 'key.appConfirm' : 'secondFactor.confirm')}</li>
      </ol>
      <div className="second-factor-secret">
        {/* Cameras read dark on light, whatever the theme. */}
        <QRCode
          aria-label={t('secondFactor.picture')}
          type="svg"
          value={address}
          size={176}
          color="#000"
          bgColor="#fff"
        />
        <div>
          <p>{t('secondFactor.typed')}</p>
          <code data-secret>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} label={t('secondFactor.copySecret')} />
        </div>
      </div>
      <Confirmed submit={turnOn} onDone={onDone} code={{ hint: t('secondFactor.codeHint') }}>
        <Button type="primary" htmlType="submit">
          {t(isOn ? 'key.addApp' : 'secondFactor.turnOn')}
        </Button>
        {back}
      </Confirmed>
    </>
  );
}

interface AddKeyProps {
  /** Two-step verification is on: a second factor proves the viewer; `hasKey`: a security key may be that. */
  isOn: boolean;
  hasKey: boolean;
  back?: ReactNode;
  onDone: Done;
}

/** Registers a security key: its name, the proof, and a touch when the browser asks. */
export function AddKey({ isOn, hasKey, back, onDone }: AddKeyProps) {
  const { t } = useTranslation('account');
  const submit = async (entered: Entered) => {
    const { currentPassword, code = '', name = '' } = entered;
    const proof = hasKey ? await proofOf(entered) : { currentPassword, code, key: null };
    const { options } = await call(secondFactorBeginKey({ body: proof }));
    const credential = await registerKey<NewKeyAnswer>(options);
    return (await call(secondFactorAddKey({ body: { name: name.trim(), credential } }))).codes;
  };
  const hint = t(hasKey ? 'key.orKey' : 'secondFactor.orRecovery');
  return (
    <>
      <p>{t('key.intro')}</p>
      <p>{t('key.setUpHint')}</p>
      <Confirmed
        submit={submit}
        onDone={onDone}
        code={isOn ? { hint, isOptional: hasKey } : undefined}
        initial={{ name: t('key.nameDefault') }}
        fields={<KeyName />}
      >
        <Button type="primary" htmlType="submit">
          {t('key.setUp')}
        </Button>
        {back}
      </Confirmed>
    </>
  );
}

/** What the viewer calls a key. */
export function KeyName() {
  const { t } = useTranslation('account');
  return (
    <Form.Item
      name="name"
      label={t('key.name')}
      rules={[{ required: true, whitespace: true, message: t('key.nameEmpty') }]}
    >
      <Input autoComplete="off" maxLength={50} />
    </Form.Item>
  );
}

interface ProofProps<Result> {
  explained: string;
  action: string;
  danger?: boolean;
  hasKey: boolean;
  run: (proof: Proof) => Promise<Result>;
  back: ReactNode;
  onDone: (result: Result) => void;
}

/** A change of second factors that was thought over: says what it does, and takes the proof. */
export function ProofForm<Result>(props: ProofProps<Result>) {
  const { explained, action, danger = false, hasKey, run, back, onDone } = props;
  const { t } = useTranslation('account');
  const submit = async (entered: Entered) => {
    const { currentPassword, code = '' } = entered;
    return run(hasKey ? await proofOf(entered) : { currentPassword, code, key: null });
  };
  const hint = t(hasKey ? 'key.orKey' : 'secondFactor.orRecovery');
  return (
    <>
      <p>{explained}</p>
      <Confirmed submit={submit} onDone={onDone} code={{ hint, isOptional: hasKey }}>
        <Button type="primary" danger={danger} htmlType="submit">
          {action}
        </Button>
        {back}
      </Confirmed>
    </>
  );
}
