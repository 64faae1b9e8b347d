import i18n from 'i18next';

/**
 * What a code means (specification, chapter 8), for answers that bring no message of the server. Every failure has a
 * text, whatever its code.
 */
export function tableText(code: number): string {
  const texts: Readonly<Record<number, string>> = {
    408: i18n.t('failure.timeout408'),
    500: i18n.t('failure.server'),
    10000: i18n.t('failure.common'),
    40103: i18n.t('failure.noAccess'),
    40104: i18n.t('failure.captchaExpired'),
    40105: i18n.t('failure.captchaWrong'),
    40106: i18n.t('failure.credentialsWrong'),
    60100: i18n.t('failure.masterLimit'),
    60101: i18n.t('failure.channelTaken'),
    60102: i18n.t('failure.repairContent'),
    61100: i18n.t('failure.dataSourceFirst'),
  };
  return texts[code] ?? areaText(code);
}

function areaText(code: number): string {
  if (code > 60100 && code < 61000) return i18n.t('failure.subscribe', { code });
  if (code > 61100 && code < 62000) return i18n.t('failure.publish', { code });
  return i18n.t('failure.unknown', { code });
}
