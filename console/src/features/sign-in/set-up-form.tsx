import { useMutation, useQuery } from '@tanstack/react-query';
import { QRCode } from 'antd';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ApiError,
  call,
  type SetUpAnswer,
  sessionBeginSecondFactor,
  sessionSetUpSecondFactor,
} from '@/shared/api';
import { code } from '@/shared/api/errors';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { Card } from './card';
import { Field } from './field';
import { KeySetUp, type SetUpProps } from './key-set-up';
import { Codes } from './set-up-codes';

type Props = Omit<SetUpProps, 'onOther' | 'onDone'>;

/** The second step of signing in where the tenant requires one and the account has none yet. */
export default function SetUpForm(props: Props) {
  const [answer, setAnswer] = useState<SetUpAnswer>();
  const [isKey, setKey] = useState(false);
  if (answer) return <Codes answer={answer} way={props.way} />;
  const Form = isKey ? KeySetUp : AppSetUp;
  const other = props.steps?.includes('security-key') ? () => setKey(!isKey) : undefined;
  return <Form {...props} onOther={other} onDone={setAnswer} />;
}

function AppSetUp({ token, way, onBack, onOther, onDone }: SetUpProps) {
  const { t } = useTranslation(['sign-in', 'account']);
  const begun = useQuery({
    queryKey: ['sign-in', 'set-up', token],
    queryFn: ({ signal }) => call(sessionBeginSecondFactor({ body: { token }, signal })),
    // Another secret would make the one that was scanned useless, and none is to be kept.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Card title={t('account:secondFactor.title')}>
      <p>{t('sign-in:setUp.hint')}</p>
      {begun.error && (
        <p className="sign-in-answer" role="alert" data-kind="error">
          {begun.error.message}
        </p>
      )}
      {begun.data && (
        <>
          <p>{t('account:secondFactor.scan')}</p>
          <div className="sign-in-secret">
            <QRCode
              aria-label={t('account:secondFactor.picture')}
              type="svg"
              value={begun.data.address}
              size={160}
              color="#000"
              bgColor="#fff"
            />
            <code data-secret>{begun.data.secret.match(/.{1,4}/g)?.join(' ')}</code>
          </div>
          <FirstCode token={token} handle={begun.data.handle} way={way} onBack={onBack} onDone={onDone} />
        </>
      )}
      <p className="sign-in-other">
        {onOther && (
          <button type="button" className="sign-in-link" onClick={onOther}>
            {t('sign-in:key.use')}
          </button>
        )}
        <button type="button" className="sign-in-link" onClick={() => onBack()}>
          {t('sign-in:reset.back')}
        </button>
      </p>
    </Card>
  );
}

interface FirstCodeProps extends Pick<SetUpProps, 'token' | 'way' | 'onBack'> {
  handle: string;
  onDone: (answer: SetUpAnswer) => void;
}

function FirstCode({ token, handle, way, onBack, onDone }: FirstCodeProps) {
  const { t } = useTranslation('sign-in');
  const form = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const focus = () => form.current?.querySelector('input')?.focus();
  const finish = useMutation<SetUpAnswer, ApiError>({
    meta: { quiet: true },
    mutationFn: () => {
      const device = local.get<string>(storeKeys.device) ?? '';
      const sourceUrl = way.sourceUrl ?? '';
      return call(
        sessionSetUpSecondFactor({ body: { token, handle, code: entered.trim(), device, sourceUrl } }),
      );
    },
    onSuccess: onDone,
    onError: (error) => {
      if (error.code === code.signInOver) onBack(error.message);
      setEntered('');
      focus();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(entered.trim() === '');
    if (entered.trim() === '') focus();
    else finish.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <p className="sign-in-answer" role="alert" data-kind="error">
        {finish.error?.message}
      </p>
      <Field
        name="code"
        label={t('code.label.authenticator')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        value={entered}
        fault={isEmpty ? t('code.empty') : undefined}
        onChange={(event) => {
          setEntered(event.target.value);
          setEmpty(false);
        }}
      />
      <button type="submit" className="sign-in-submit" disabled={finish.isPending}>
        {finish.isPending ? t('signingIn') : t('setUp.submit')}
      </button>
    </form>
  );
}
