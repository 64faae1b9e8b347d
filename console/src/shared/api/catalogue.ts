import i18n from 'i18next';
import type { FailureCode } from './errors';

/**
 * What a code means (specification, chapter 8), for answers that bring no message of the server. Every failure has a
 * text, whatever its code.
 */
export function tableText(code: number): string {
  return ownTexts()[code] ?? areaText(code);
}

/** Whether the table has a message for this code: then no other message is shown. */
export function hasOwnText(code: FailureCode): boolean {
  return typeof code === 'number' && (code in ownTexts() || areaOf(code) !== undefined);
}

function ownTexts(): Readonly<Record<number, string>> {
  return {
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
}

function areaText(code: number): string {
  return i18n.t(`failure.${areaOf(code) ?? 'unknown'}`, { code });
}

function areaOf(code: number): 'subscribe' | 'publish' | undefined {
  if (code > 60100 && code < 61000) return 'subscribe';
  return code > 61100 && code < 62000 ? 'publish' : undefined;
}
