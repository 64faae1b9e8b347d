import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Form, Input, QRCode, Space } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiError,
  call,
  secondFactorBegin,
  secondFactorRenewRecoveryCodes,
  secondFactorTurnOff,
  secondFactorTurnOn,
} from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { CopyButton } from '@/shared/ui/copy-button';
import { ErrorState } from '@/shared/ui/error-state';
import { showFaults, toFault } from '@/shared/ui/form-faults';
import { LoadingState } from '@/shared/ui/loading-state';
import './account.css';

type Done = (codes: readonly string[]) => void;

/** A new secret for the authenticator, and the first code that it shows. */
export function SetUp({ onDone }: { onDone: Done }) {
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
  const turnOn = async (proof: Entered) =>
    (await call(secondFactorTurnOn({ body: { ...proof, handle } }))).codes;
  return (
    <>
      <p>{t('secondFactor.intro')}</p>
      <ol className="second-factor-steps">
        <li>{t('secondFactor.scan')}</li>
        <li>{t('secondFactor.confirm')}</li>
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
      <Confirmed submit={turnOn} onDone={onDone} codeHint={t('secondFactor.codeHint')}>
        <Button type="primary" htmlType="submit">
          {t('secondFactor.turnOn')}
        </Button>
      </Confirmed>
    </>
  );
}

interface ProofProps {
  what: 'off' | 'renew';
  onBack: () => void;
  onDone: Done;
}

/** Turns it off, or makes other recovery codes. */
export function ProofForm({ what, onBack, onDone }: ProofProps) {
  const { t } = useTranslation(['account', 'common']);
  const submit = async (body: Entered) => {
    if (what === 'renew') return (await call(secondFactorRenewRecoveryCodes({ body }))).codes;
    await call(secondFactorTurnOff({ body }));
    return [];
  };
  return (
    <>
      <p>{t(`account:secondFactor.explained.${what}`)}</p>
      <Confirmed submit={submit} onDone={onDone} codeHint={t('account:secondFactor.orRecovery')}>
        <Button type="primary" danger={what === 'off'} htmlType="submit">
          {t(what === 'off' ? 'account:secondFactor.turnOff' : 'account:secondFactor.renew')}
        </Button>
        <Button onClick={onBack}>{t('common:action.cancel')}</Button>
      </Confirmed>
    </>
  );
}

interface Entered {
  currentPassword: string;
  code: string;
}

interface ConfirmedProps {
  submit: (entered: Entered) => Promise<readonly string[]>;
  onDone: Done;
  codeHint: string;
  children: ReactNode;
}

/** The own password and a code, which each change of it takes. */
function Confirmed({ submit, onDone, codeHint, children }: ConfirmedProps) {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<Entered>();
  const change = useMutation({ mutationFn: submit, meta: { quiet: true }, onSuccess: onDone });
  const finish = (entered: Entered) =>
    change.mutate(entered, {
      onError: (error) => {
        if (error instanceof ApiError) showFaults(form, error, () => failureText(error, 'submit'));
      },
    });
  return (
    <Form
      form={form}
      layout="vertical"
      onFinish={finish}
      disabled={change.isPending}
      scrollToFirstError={toFault}
    >
      <Form.Item
        name="currentPassword"
        label={t('current')}
        rules={[{ required: true, message: t('fault.currentEmpty') }]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="code"
        label={t('secondFactor.code')}
        extra={codeHint}
        rules={[{ required: true, whitespace: true, message: t('secondFactor.codeEmpty') }]}
      >
        <Input autoComplete="one-time-code" maxLength={30} />
      </Form.Item>
      <Space>{children}</Space>
    </Form>
  );
}
