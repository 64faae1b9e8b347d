import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { type ApiError, call, type LoginAnswer, sessionLogin, sessionLoginFree } from '@/shared/api';
import { code } from '@/shared/api/errors';
import { dropFarewell, farewell } from '@/shared/api/session';
import { signInMethods } from '@/shared/api/sign-in-methods';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { ownPath, paths, type Way, wayOf } from '@/shared/pages/paths';
import { Captcha, useCaptcha } from './captcha';
import { Card } from './card';
import { CodeForm } from './code-form';
import { enter } from './enter';
import { External } from './external';
import { Field } from './field';
import { OtherWays } from './other-ways';
import { useSlideGate } from './slide-gate';

// The picture's drawing is a part of the kit, which signing in does not wait for otherwise.
const SetUpForm = lazy(() => import('./set-up-form'));
const KeyForm = lazy(() => import('./key-form'));

interface Credentials {
  userName: string;
  password: string;
  code: string;
}

const fieldNames = ['userName', 'password', 'code'] as const;
type Faults = Partial<Record<keyof Credentials, string>>;

function useFaults() {
  const { t } = useTranslation('sign-in');
  return (entered: Credentials): Faults => ({
    ...(entered.userName.trim() ? {} : { userName: t('fault.userName') }),
    ...(entered.password ? {} : { password: t('fault.password') }),
    ...(entered.code.trim() ? {} : { code: t('fault.captcha') }),
  });
}

/** The form, or at once the console where the platform needs no sign-in; `?account` asks for the form even then. */
export default function SignInPage() {
  const [parameters] = useSearchParams();
  const { data: methods } = useQuery(signInMethods);
  const isFree = methods?.loginFree && !parameters.has('account');
  const way = wayOf(parameters);
  return isFree ? <FreeEntry way={way} /> : <Steps way={way} />;
}

/** Name and password first, then a code where the account wants one. */
function Steps({ way }: { way: Way }) {
  // What the last page wanted said, or why a sign-in has to begin again.
  const [greeting, setGreeting] = useState(farewell);
  const [next, setNext] = useState<SecondStep>();
  // Dropped only once it is on the page: a drawing that React gives up must not take it along.
  useEffect(dropFarewell, []);
  const back = (message?: string) => {
    setGreeting(message);
    setNext(undefined);
  };
  if (next) {
    const { what, ...given } = next;
    const Form = forms[what];
    return (
      <Suspense fallback={null}>
        <Form
          {...given}
          way={way}
          onBack={back}
          onOther={() => setNext({ ...next, what: what === 'key' ? 'code' : 'key' })}
        />
      </Suspense>
    );
  }
  return (
    <SignInForm way={way} greeting={greeting} onGreeted={() => setGreeting(undefined)} onNext={setNext} />
  );
}

/** What the right password leads to; the token is good for that alone. */
interface SecondStep {
  what: 'code' | 'key' | 'set-up';
  token: string;
  steps: LoginAnswer['secondSteps'];
}

const forms = { code: CodeForm, key: KeyForm, 'set-up': SetUpForm };

const secondSteps: Readonly<Record<string, SecondStep['what']>> = {
  [code.secondFactorDemanded]: 'code',
  [code.setUpDemanded]: 'set-up',
};

function FreeEntry({ way }: { way: Way }) {
  const enterFreely = () => call(sessionLoginFree({ body: { sourceUrl: way.sourceUrl ?? '' } }));
  return <External way={way} run={enterFreely} again={paths.signIn} />;
}

interface FormProps {
  way: Way;
  greeting: string | undefined;
  onGreeted: () => void;
  onNext: (next: SecondStep) => void;
}

function SignInForm({ way, greeting, onGreeted, onNext }: FormProps) {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const captcha = useCaptcha();
  const remembered = local.get<string>(storeKeys.rememberedUser) ?? '';
  const [entered, setEntered] = useState<Credentials>({ userName: remembered, password: '', code: '' });
  const [isRemembering, setRemembering] = useState(remembered !== '');
  const [faults, setFaults] = useState<Faults>({});
  const form = useRef<HTMLFormElement>(null);
  const faultsOf = useFaults();

  const { data: methods } = useQuery(signInMethods);
  const directory = methods?.directory;

  const slide = useSlideGate();
  const signIn = useMutation<LoginAnswer | undefined, ApiError>({
    meta: { quiet: true },
    mutationFn: async () => {
      const ticket = await slide.ticket();
      if (ticket === undefined) return undefined;
      const uuid = captcha.picture?.uuid ?? '';
      const userName = entered.userName.trim();
      const sourceUrl = way.sourceUrl ?? '';
      const device = local.get<string>(storeKeys.device) ?? '';
      return call(
        sessionLogin({ body: { ...entered, userName, uuid, ticket, device, serviceId: null, sourceUrl } }),
      );
    },
    onSuccess: (answer) => {
      if (answer && enter(answer)) navigate(ownPath(way.redirect), { replace: true });
    },
    onError: (error) => {
      // Another page comes, and what is filled in there is not to be disturbed.
      if (error.code === code.passwordChangeDemanded) return;
      const what = secondSteps[error.code];
      if (what) {
        const { token = '', secondSteps: steps } = error.data as LoginAnswer;
        onNext({ what: what === 'code' && steps?.includes('security-key') ? 'key' : what, token, steps });
        return;
      }
      // The picture was used up by the attempt.
      captcha.renew();
      setEntered((before) => ({ ...before, code: '' }));
      focus('code');
    },
  });

  function focus(name: keyof Credentials): void {
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = faultsOf(entered);
    setFaults(found);
    onGreeted();
    const first = fieldNames.find((name) => found[name]);
    if (first) {
      focus(first);
      return;
    }
    if (isRemembering) local.set(storeKeys.rememberedUser, entered.userName.trim());
    else local.remove(storeKeys.rememberedUser);
    signIn.mutate();
  }

  const bind = (name: keyof Credentials) => ({
    name,
    value: entered[name],
    fault: faults[name],
    onChange: (event: { target: HTMLInputElement }) => {
      setEntered((before) => ({ ...before, [name]: event.target.value }));
      setFaults((before) => ({ ...before, [name]: undefined }));
    },
  });

  return (
    <Card title={t('title')}>
      <form ref={form} onSubmit={submit} noValidate>
        <p className="sign-in-answer" role="alert" data-kind={signIn.isError ? 'error' : 'info'}>
          {signIn.isError ? signIn.error.message : greeting}
        </p>
        <Field label={t('userName')} autoComplete="username" maxLength={50} {...bind('userName')} />
        <Field
          label={t('password')}
          type="password"
          autoComplete="current-password"
          hint={directory ? t('directory', { name: directory }) : undefined}
          {...bind('password')}
        />
        <Field
          label={t('captcha')}
          autoComplete="off"
          inputMode="numeric"
          maxLength={8}
          adornment={
            <Captcha picture={captcha.picture} isFailed={captcha.isFailed} onRenew={captcha.renew} />
          }
          {...bind('code')}
        />
        <label className="sign-in-check">
          <input
            type="checkbox"
            checked={isRemembering}
            onChange={(event) => setRemembering(event.target.checked)}
          />
          {t('rememberMe')}
        </label>
        <button type="submit" className="sign-in-submit" disabled={signIn.isPending}>
          {signIn.isPending ? t('signingIn') : t('signIn')}
        </button>
      </form>
      <OtherWays way={way} />
      {slide.dialog}
    </Card>
  );
}
