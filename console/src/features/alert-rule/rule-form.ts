import type { MetricChoice, RuleInput, RuleRecord, RuleTrialRequest } from '@/shared/api';
import { entered, stored } from './figures';

export const kinds = ['channel', 'table', 'published-table', 'service', 'host'] as const;
export const comparisons = ['gt', 'ge', 'lt', 'le'] as const;
export const levels = [0, 1, 3] as const;

type Quiet = NonNullable<RuleInput['quiet']>;

/** A rule as the form has it: the limit in the unit that people read, times of day as the browser's field has them. */
export interface RuleForm
  extends Omit<Required<RuleInput>, 'containerId' | 'linkId' | 'serviceId' | 'quiet'> {
  containerId?: string;
  linkId?: string;
  serviceId?: string;
  quiet: { isOn: boolean; begin: string; end: string; timeZone: string };
}

const HOUR = 60;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR + minutes;
}

function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / HOUR))}:${two(minutes % HOUR)}`;
}

function quietForm(quiet: Quiet | null | undefined): RuleForm['quiet'] {
  if (!quiet) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return { isOn: false, begin: '22:00', end: '07:00', timeZone };
  }
  return { isOn: true, begin: timeOf(quiet.begin), end: timeOf(quiet.end), timeZone: quiet.timeZone };
}

const usual = {
  kind: 'channel',
  metric: 'lag_ms',
  comparison: 'gt',
  threshold: 60,
  seconds: 300,
  onMissing: false,
  pattern: '',
  level: 1,
  repeatMinutes: 0,
  enabled: true,
};

/** What the form begins with; of a new rule the usual. */
export function initialOf(rule: RuleRecord | undefined): object {
  if (!rule) return { ...usual, quiet: quietForm(null) };
  return {
    ...rule,
    threshold: entered(rule.threshold, rule.unit),
    containerId: rule.containerId ?? undefined,
    linkId: rule.linkId ?? undefined,
    serviceId: rule.serviceId ?? undefined,
    quiet: quietForm(rule.quiet),
  };
}

/** When it is an alert, as the server takes it. */
function conditionOf(form: RuleForm, metric: MetricChoice): Omit<RuleTrialRequest, 'days'> {
  const isHost = form.kind === 'host';
  return {
    kind: form.kind,
    metric: form.metric,
    comparison: form.comparison,
    threshold: stored(form.threshold, metric.unit),
    seconds: form.seconds,
    onMissing: form.onMissing,
    containerId: form.containerId || null,
    linkId: isHost ? null : form.linkId || null,
    serviceId: isHost ? null : form.serviceId || null,
    pattern: form.pattern?.trim() ?? '',
  };
}

export function trialOf(form: RuleForm, metric: MetricChoice, days: number): RuleTrialRequest {
  return { ...conditionOf(form, metric), days };
}

export function ruleOf(form: RuleForm, metric: MetricChoice): RuleInput {
  const { isOn, begin, end, timeZone } = form.quiet;
  return {
    ...conditionOf(form, metric),
    name: form.name,
    level: form.level,
    repeatMinutes: form.repeatMinutes,
    enabled: form.enabled,
    quiet: isOn ? { begin: minutesOf(begin), end: minutesOf(end), timeZone } : null,
  };
}
