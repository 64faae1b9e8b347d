import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, type KeyAnswer, type LoginAnswer, sessionBeginKeyLogin, sessionLoginKey } from '@/shared/api';
import { ApiError, code } from '@/shared/api/errors';
import { KeyFailure, signWithKey } from '@/shared/lib/security-key';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { ownPath, type Way } from '@/shared/pages/paths';
import { Card } from './card';
import { enter } from './enter';

interface Props {
  /** Proves that the password was right; good for this form alone, for five minutes. */
  token: string;
  steps: LoginAnswer['secondSteps'];
  way: Way;
  /** Back to name and password, with what is to be said there. */
  onBack: (message?: string) => void;
  /** To the codes. */
  onOther: () => void;
}

/** The second step of signing in with a security key. Browsers ask for one only where the viewer pressed something. */
export default function KeyForm({ token, steps, way, onBack, onOther }: Props) {
  const { t } = useTranslation(['sign-in', 'account']);
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const signIn = useMutation<LoginAnswer>({
    meta: { quiet: true },
    mutationFn: async () => {
      const { options } = await call(sessionBeginKeyLogin({ body: { token } }));
      const key = await signWithKey<KeyAnswer>(options);
      const device = local.get<string>(storeKeys.device) ?? '';
      return call(sessionLoginKey({ body: { token, key, device, sourceUrl: way.sourceUrl ?? '' } }));
    },
    onSuccess: (answer) => {
      if (enter(answer)) navigate(ownPath(way.redirect), { replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === code.signInOver) onBack(error.message);
    },
  });
  const fault = signIn.error;
  return (
    <Card title={t('sign-in:code.title')}>
      <p>{t('account:key.hint')}</p>
      <p className="sign-in-answer" role="alert" data-kind="error">
        {fault instanceof KeyFailure ? t(`account:key.fault.${fault.kind}`) : fault?.message}
      </p>
      <button
        ref={button}
        type="button"
        className="sign-in-submit"
        disabled={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {signIn.isPending ? t('account:key.touch') : t('sign-in:key.use')}
      </button>
      <p className="sign-in-other">
        <button type="button" className="sign-in-link" onClick={onOther}>
          {t(steps?.includes('authenticator') ? 'account:key.other' : 'sign-in:code.other.authenticator')}
        </button>
        <button type="button" className="sign-in-link" onClick={() => onBack()}>
          {t('sign-in:reset.back')}
        </button>
      </p>
    </Card>
  );
}
