import type { ReceiverInput, ReceiverRecord } from '@/shared/api';

type Mail = NonNullable<ReceiverInput['mail']>;

/** A receiver as the form has it; of a way it uses only some of it. Secrets are empty unless they change. */
export interface ReceiverForm extends Omit<Required<ReceiverInput>, 'mail' | 'customerId'> {
  mail: Mail;
  customerId?: string;
}

export const signed: readonly ReceiverInput['way'][] = ['webhook', 'dingtalk', 'feishu', 'pagerduty'];

const usual = {
  way: 'mail',
  minLevel: 1,
  recovery: true,
  enabled: true,
  eventsUrl: 'https://events.pagerduty.com/v2/enqueue',
};
const usualMail = { port: 587, security: 'starttls', user: '', recipients: [] };

/** What the form begins with; of a new receiver the usual. */
export function initialOf(receiver: ReceiverRecord | undefined, language: string): object {
  if (!receiver) return { ...usual, language, mail: usualMail };
  return {
    ...receiver,
    customerId: receiver.customerId ?? undefined,
    eventsUrl: receiver.eventsUrl ?? usual.eventsUrl,
    mail: receiver.mail ?? usualMail,
  };
}

/** What is sent for a filled form. */
export function receiverOf(form: ReceiverForm): ReceiverInput {
  const isMail = form.way === 'mail';
  const hasUrl = !isMail && form.way !== 'pagerduty';
  return {
    name: form.name,
    way: form.way,
    mail: isMail ? { ...form.mail, user: form.mail.security === 'none' ? '' : (form.mail.user ?? '') } : null,
    password: isMail ? (form.password ?? '') : '',
    url: hasUrl ? (form.url ?? '') : '',
    secret: signed.includes(form.way) ? (form.secret ?? '') : '',
    ...(form.way === 'pagerduty' ? { eventsUrl: form.eventsUrl } : {}),
    language: form.language,
    customerId: form.customerId || null,
    minLevel: form.minLevel,
    recovery: form.recovery,
    enabled: form.enabled,
  };
}
