import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type CaptchaPicture, call, sessionGetCaptcha } from '@/shared/api';

/** A picture is good once; `renew` fetches another. */
export function useCaptcha() {
  const query = useQuery({
    queryKey: ['sign-in', 'captcha'],
    queryFn: ({ signal }) => call(sessionGetCaptcha({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return { picture: query.data, isFailed: query.isError, renew: () => void query.refetch() };
}

interface CaptchaProps {
  picture: CaptchaPicture | undefined;
  isFailed: boolean;
  onRenew: () => void;
}

export function Captcha({ picture, isFailed, onRenew }: CaptchaProps) {
  const { t } = useTranslation('sign-in');
  if (isFailed) {
    return (
      <button type="button" className="sign-in-captcha" onClick={onRenew}>
        {t('captchaFailed')} · {t('captchaRetry')}
      </button>
    );
  }
  return (
    <button type="button" className="sign-in-captcha" onClick={onRenew} title={t('captchaPicture')}>
      {picture ? <img src={picture.img} alt={t('captchaPicture')} /> : t('captchaLoading')}
    </button>
  );
}
