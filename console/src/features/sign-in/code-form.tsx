import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type ApiError, call, type LoginAnswer, sessionLoginSecondFactor } from '@/shared/api';
import { code } from '@/shared/api/errors';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { ownPath, type Way } from '@/shared/pages/paths';
import { Card } from './card';
import { enter } from './enter';
import { Field } from './field';

interface Props {
  /** Proves that the password was right; good for this form alone, for five minutes. */
  token: string;
  /** What the account has as second factors. */
  steps: LoginAnswer['secondSteps'];
  way: Way;
  /** Back to name and password, with what is to be said there. */
  onBack: (message?: string) => void;
  /** To the security key. */
  onOther: () => void;
}

/** The second step of signing in: a code of the authenticator, or a recovery code in its place. */
export function CodeForm({ token, steps, way, onBack, onOther }: Props) {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [isRecovery, setRecovery] = useState(!steps?.includes('authenticator'));
  const [entered, setEntered] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const focus = () => form.current?.querySelector('input')?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of code begins in the field as well
  useEffect(focus, [isRecovery]);

  const signIn = useMutation<LoginAnswer, ApiError>({
    meta: { quiet: true },
    mutationFn: () => {
      const device = local.get<string>(storeKeys.device) ?? '';
      const body = { token, code: entered.trim(), device, sourceUrl: way.sourceUrl ?? '' };
      return call(sessionLoginSecondFactor({ body }));
    },
    onSuccess: (answer) => {
      if (enter(answer)) navigate(ownPath(way.redirect), { replace: true });
    },
    onError: (error) => {
      if (error.code === code.signInOver) onBack(error.message);
      setEntered('');
      focus();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setEmpty(entered.trim() === '');
    if (entered.trim() === '') focus();
    else signIn.mutate();
  }

  function switchKind(): void {
    setRecovery(!isRecovery);
    setEntered('');
    setEmpty(false);
    signIn.reset();
  }

  const kind = isRecovery ? 'recovery' : 'authenticator';
  return (
    <Card title={t('code.title')}>
      <form ref={form} onSubmit={submit} noValidate>
        <p>{t(`code.hint.${kind}`)}</p>
        <p className="sign-in-answer" role="alert" data-kind="error">
          {signIn.error?.message}
        </p>
        <Field
          key={kind}
          name="code"
          label={t(`code.label.${kind}`)}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          maxLength={isRecovery ? 30 : 10}
          value={entered}
          fault={isEmpty ? t('code.empty') : undefined}
          onChange={(event) => {
            setEntered(event.target.value);
            setEmpty(false);
          }}
        />
        <button type="submit" className="sign-in-submit" disabled={signIn.isPending}>
          {signIn.isPending ? t('signingIn') : t('code.submit')}
        </button>
        <p className="sign-in-other">
          {steps?.includes('authenticator') && (
            <button type="button" className="sign-in-link" onClick={switchKind}>
              {t(`code.other.${kind}`)}
            </button>
          )}
          {steps?.includes('security-key') && (
            <button type="button" className="sign-in-link" onClick={onOther}>
              {t('key.use')}
            </button>
          )}
          <button type="button" className="sign-in-link" onClick={() => onBack()}>
            {t('reset.back')}
          </button>
        </p>
      </form>
    </Card>
  );
}
