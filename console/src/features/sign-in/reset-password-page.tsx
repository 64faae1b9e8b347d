import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type ApiError, accountChangePassword, call, type LoginAnswer } from '@/shared/api';
import { clearSession } from '@/shared/api/session';
import { useLongestPassword } from '@/shared/hooks/use-longest-password';
import { passwordFault } from '@/shared/lib/password-rules';
import { local, session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { Card } from './card';
import { Field } from './field';

interface Entered {
  password: string;
  confirmation: string;
}

function useFaults() {
  const { t } = useTranslation('sign-in');
  const longest = useLongestPassword();
  return ({ password, confirmation }: Entered): Partial<Entered> => {
    const fault = passwordFault(password, longest);
    const confirmationFault =
      confirmation === '' ? 'confirmEmpty' : confirmation === password ? undefined : 'differs';
    return {
      password: fault && t(`reset.fault.${fault}`, { longest }),
      confirmation: confirmationFault && t(`reset.fault.${confirmationFault}`),
    };
  };
}

function useReset(token: string | undefined, way: Way) {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  return useMutation<unknown, ApiError, Entered>({
    meta: { quiet: true },
    mutationFn: ({ password, confirmation }) =>
      call(
        accountChangePassword({
          body: { currentPassword: '', newPassword: password, confirmPassword: confirmation, token },
        }),
      ),
    onSuccess: () => {
      clearSession();
      session.set(storeKeys.farewell, t('reset.changed'));
      navigate(paths.signIn(way), { replace: true });
    },
  });
}

/** The change of password that the server demands at the first sign-in (code 40200). */
export default function ResetPasswordPage() {
  const { t } = useTranslation('sign-in');
  const [waiting] = useState(() => local.get<LoginAnswer>(storeKeys.authInfo));
  const [entered, setEntered] = useState<Entered>({ password: '', confirmation: '' });
  const [shown, setShown] = useState(false);
  const [parameters] = useSearchParams();
  const way = wayOf(parameters);
  const reset = useReset(waiting?.token, way);
  const faults = useFaults()(entered);
  const longest = useLongestPassword();

  function submit(event: FormEvent): void {
    event.preventDefault();
    setShown(true);
    if (!faults.password && !faults.confirmation) reset.mutate(entered);
  }

  const bind = (name: keyof Entered) => ({
    name,
    type: 'password',
    autoComplete: 'new-password',
    value: entered[name],
    fault: shown ? faults[name] : undefined,
    onChange: (event: { target: HTMLInputElement }) =>
      setEntered((before) => ({ ...before, [name]: event.target.value })),
  });

  if (!waiting) {
    return (
      <Card title={t('reset.title')}>
        <p>{t('reset.missing')}</p>
        <Link to={paths.signIn(way)}>{t('reset.back')}</Link>
      </Card>
    );
  }
  return (
    <Card title={t('reset.title')}>
      <form onSubmit={submit} noValidate>
        <p>{t('reset.hint')}</p>
        <p className="sign-in-answer" role="alert">
          {reset.error?.message}
        </p>
        <Field label={t('reset.new')} hint={t('reset.rules', { longest })} {...bind('password')} />
        <Field label={t('reset.confirm')} {...bind('confirmation')} />
        <button type="submit" className="sign-in-submit" disabled={reset.isPending}>
          {reset.isPending ? t('reset.submitting') : t('reset.submit')}
        </button>
        <p>
          <Link to={paths.signIn(way)}>{t('reset.back')}</Link>
        </p>
      </form>
    </Card>
  );
}
