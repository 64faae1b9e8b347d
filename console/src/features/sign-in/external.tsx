import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { ApiError, LoginAnswer } from '@/shared/api';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { ownPath, paths } from '@/shared/pages/paths';
import { Card } from './card';
import { enter } from './enter';

interface Props {
  /** What the provider's answer in the address says against the sign-in. */
  refusal?: string | null;
  /** Signs in with the provider's answer, or leaves for the provider and resolves to undefined. */
  run: () => Promise<LoginAnswer | undefined>;
  /** The same page without an answer of the provider. */
  again: string;
}

/** Remembers what to open afterwards and where the viewer came from: the provider's answer brings nothing of it back. */
export function rememberWay(parameters: URLSearchParams): void {
  session.set(storeKeys.signInRedirect, parameters.get('redirect'));
  session.set(storeKeys.signInSource, parameters.get('sourceUrl'));
}

/** The portal that the viewer came from; a ticket of its own may bring it along. */
export function sourceOf(parameters: URLSearchParams): string {
  const source = parameters.get('sourceUrl') ?? session.get<string>(storeKeys.signInSource) ?? '';
  session.remove(storeKeys.signInSource);
  return source;
}

/** A sign-in that another server decides: runs once by itself, then shows the page asked for or what went wrong. */
export function External({ refusal, run, again }: Props) {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const attempt = useMutation<LoginAnswer | undefined, ApiError>({
    meta: { quiet: true },
    mutationFn: run,
    onSuccess: (answer) => {
      if (!answer || !enter(answer)) return;
      const redirect = session.get<string>(storeKeys.signInRedirect) ?? null;
      session.remove(storeKeys.signInRedirect);
      navigate(ownPath(redirect), { replace: true });
    },
  });

  const { mutate } = attempt;
  useEffect(() => {
    // An answer of the provider is good once, whatever draws this page twice.
    if (hasBegun.current || refusal) return;
    hasBegun.current = true;
    mutate();
  }, [mutate, refusal]);

  const fault = refusal ? t('external.refused', { reason: refusal }) : attempt.error?.message;
  return (
    <Card title={t('external.title')}>
      <p role="alert" className="sign-in-answer" data-kind={fault ? 'error' : 'info'}>
        {fault ?? t('external.running')}
      </p>
      {fault && (
        <nav className="sign-in-other" aria-label={t('otherWays')}>
          <Link to={again} reloadDocument>
            {t('external.again')}
          </Link>
          <Link to={paths.signIn()}>{t('reset.back')}</Link>
        </nav>
      )}
    </Card>
  );
}
