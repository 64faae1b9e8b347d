import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { ApiError, BegunSignIn, LoginAnswer } from '@/shared/api';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { ownPath, paths, type Way, wayOf } from '@/shared/pages/paths';
import { Card } from './card';
import { enter } from './enter';

interface Props {
  way: Way;
  /** What the provider's answer in the address says against the sign-in. */
  refusal?: string | null;
  /** Signs in with the provider's answer, or leaves for the provider and resolves to undefined. */
  run: () => Promise<LoginAnswer | undefined>;
  /** The same page without an answer of the provider. */
  again: (way: Way) => string;
}

/** Remembers the way while the viewer is away: the provider's answer brings nothing of it back. */
export function rememberWay(way: Way): void {
  session.set(storeKeys.signInWay, way);
}

/** The way that was remembered; a portal's own ticket may bring parts of it along. */
export function rememberedWay(parameters: URLSearchParams): Way {
  const [named, kept] = [wayOf(parameters), session.get<Way>(storeKeys.signInWay)];
  return {
    redirect: named.redirect ?? kept?.redirect,
    sourceUrl: named.sourceUrl ?? kept?.sourceUrl,
  };
}

/** Leaves for a provider. Its answer counts in this tab only: the handle that it needs is kept here. */
export function leaveFor({ url, handle }: BegunSignIn, way: Way): void {
  session.set(storeKeys.signInHandle, handle);
  rememberWay(way);
  window.location.assign(url);
}

/** The handle of the sign-in that this tab began, good once. */
export function takeHandle(): string {
  const handle = session.get<string>(storeKeys.signInHandle) ?? '-';
  session.remove(storeKeys.signInHandle);
  return handle;
}

/** A sign-in that another server decides: runs once by itself, then shows the page asked for or what went wrong. */
export function External({ way, refusal, run, again }: Props) {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const attempt = useMutation<LoginAnswer | undefined, ApiError>({
    meta: { quiet: true },
    mutationFn: run,
    onSuccess: (answer) => {
      if (!answer || !enter(answer)) return;
      session.remove(storeKeys.signInWay);
      navigate(ownPath(way.redirect), { replace: true });
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
          <Link to={again(way)} reloadDocument>
            {t('external.again')}
          </Link>
          <Link to={paths.signIn(way)}>{t('reset.back')}</Link>
        </nav>
      )}
    </Card>
  );
}
