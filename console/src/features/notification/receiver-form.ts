import type { ReceiverInput, ReceiverRecord } from '@/shared/api';

type Mail = NonNullable<ReceiverInput['mail']>;
type Quiet = NonNullable<ReceiverInput['quiet']>;

/** A receiver as the form has it; of a way it uses only some of it. Secrets are empty unless they change. */
export interface ReceiverForm extends Omit<Required<ReceiverInput>, 'mail' | 'customerId' | 'quiet'> {
  mail: Mail;
  /** Times of day as the browser's field has them: `22:00`. */
  quiet: { isOn: boolean; begin: string; end: string; timeZone: string; importantPasses: boolean };
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

const HOUR = 60;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR + minutes;
}

function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / HOUR))}:${two(minutes % HOUR)}`;
}

/** Quiet hours of a receiver that has none, used when they are switched on. */
function usualQuiet(): ReceiverForm['quiet'] {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { isOn: false, begin: '22:00', end: '07:00', timeZone, importantPasses: true };
}

function quietForm({ begin, end, timeZone, importantPasses }: Quiet): ReceiverForm['quiet'] {
  return {
    isOn: true,
    begin: timeOf(begin),
    end: timeOf(end),
    timeZone,
    importantPasses: importantPasses ?? true,
  };
}

/** What the form begins with; of a new receiver the usual. */
export function initialOf(receiver: ReceiverRecord | undefined, language: string): object {
  if (!receiver) return { ...usual, language, mail: usualMail, quiet: usualQuiet() };
  return {
    ...receiver,
    customerId: receiver.customerId ?? undefined,
    eventsUrl: receiver.eventsUrl ?? usual.eventsUrl,
    mail: receiver.mail ?? usualMail,
    quiet: receiver.quiet ? quietForm(receiver.quiet) : usualQuiet(),
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
    quiet: form.quiet.isOn
      ? {
          begin: minutesOf(form.quiet.begin),
          end: minutesOf(form.quiet.end),
          timeZone: form.quiet.timeZone,
          importantPasses: form.quiet.importantPasses,
        }
      : null,
  };
}
