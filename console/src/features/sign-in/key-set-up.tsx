import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type LoginAnswer,
  type NewKeyAnswer,
  type SetUpAnswer,
  sessionBeginKeySetUp,
  sessionSetUpKey,
} from '@/shared/api';
import { ApiError, code } from '@/shared/api/errors';
import { KeyFailure, registerKey } from '@/shared/lib/security-key';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { Way } from '@/shared/pages/paths';
import { Card } from './card';
import { Field } from './field';

/** What either set-up is given. */
export interface SetUpProps {
  /** Proves that the password was right; good for this form alone, for five minutes. */
  token: string;
  /** What can be set up here. */
  steps: LoginAnswer['secondSteps'];
  way: Way;
  /** Back to name and password, with what is to be said there. */
  onBack: (message?: string) => void;
  /** To the other kind of second factor, where it can be set up here. */
  onOther: (() => void) | undefined;
  onDone: (answer: SetUpAnswer) => void;
}

/** Registers a security key where the tenant requires a second factor and the account has none yet. */
export function KeySetUp({ token, way, onBack, onOther, onDone }: SetUpProps) {
  const { t } = useTranslation(['sign-in', 'account']);
  const [name, setName] = useState(t('account:key.nameDefault'));
  const [isEmpty, setEmpty] = useState(false);
  const finish = useMutation<SetUpAnswer>({
    meta: { quiet: true },
    mutationFn: async () => {
      const { options } = await call(sessionBeginKeySetUp({ body: { token } }));
      const key = { name: name.trim(), credential: await registerKey<NewKeyAnswer>(options) };
      const device = local.get<string>(storeKeys.device) ?? '';
      return call(sessionSetUpKey({ body: { token, key, device, sourceUrl: way.sourceUrl ?? '' } }));
    },
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof ApiError && error.code === code.signInOver) onBack(error.message);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(name.trim() === '');
    if (name.trim() !== '') finish.mutate();
  };
  const fault = finish.error;
  return (
    <Card title={t('account:secondFactor.title')}>
      <p>{t('sign-in:setUp.hint')}</p>
      <p>{t('account:key.setUpHint')}</p>
      <form onSubmit={submit} noValidate>
        <p className="sign-in-answer" role="alert" data-kind="error">
          {fault instanceof KeyFailure ? t(`account:key.fault.${fault.kind}`) : fault?.message}
        </p>
        <Field
          name="keyName"
          label={t('account:key.name')}
          autoComplete="off"
          maxLength={50}
          value={name}
          fault={isEmpty ? t('account:key.nameEmpty') : undefined}
          onChange={(event) => {
            setName(event.target.value);
            setEmpty(false);
          }}
        />
        <button type="submit" className="sign-in-submit" disabled={finish.isPending}>
          {finish.isPending ? t('account:key.touch') : t('account:key.setUp')}
        </button>
      </form>
      <p className="sign-in-other">
        <button type="button" className="sign-in-link" onClick={onOther}>
          {t('account:key.useApp')}
        </button>
        <button type="button" className="sign-in-link" onClick={() => onBack()}>
          {t('sign-in:reset.back')}
        </button>
      </p>
    </Card>
  );
}
