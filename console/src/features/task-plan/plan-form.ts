import type {
  BackupInput,
  CleaningInput,
  DistributionInput,
  ExportInput,
  JobInput,
  PlanInput,
  PlanRecord,
  SqlJobInput,
} from '@/shared/api';
import { zone } from '@/shared/lib/figures';
import { momentIn, wallTime } from '@/shared/lib/zones';

const MINUTE = 60;

export const jobTypes = [
  'start',
  'pause',
  'stop',
  'reload',
  'suspend',
  'resume',
  'compare',
  'sql',
  'export',
  'clean',
  'backup',
  'distribute',
] as const satisfies readonly JobInput['type'][];

const ofNoLink: readonly JobInput['type'][] = ['sql', 'export', 'clean', 'backup', 'distribute'];
const ofTables: readonly JobInput['type'][] = ['reload', 'suspend', 'resume', 'compare'];

export const isOfLink = (type: JobInput['type']) => !ofNoLink.includes(type);
export const isOfTables = (type: JobInput['type']) => ofTables.includes(type);

export const histories = [
  'runs',
  'loads',
  'alerts',
  'notices',
  'api-log',
  'sql-runs',
  'recycle-bin',
] as const satisfies readonly CleaningInput['histories'][number][];

export interface JobForm {
  type: JobInput['type'];
  link?: string;
  tables?: string[];
  /** How tables are loaded again; empty: as the link says. */
  beside?: '' | 'beside' | 'clean';
  method?: 'content' | 'strict' | 'count';
  repair?: boolean;
  clean?: CleaningInput;
  sql?: SqlJobInput;
  export?: ExportInput;
  backup?: BackupInput;
  distribution?: DistributionInput;
}

/** A plan as the form has it: times in minutes, the moment to run once as clocks of its zone show it. */
export interface PlanForm {
  name: string;
  job: JobForm;
  trigger: 'cron' | 'once' | 'after';
  cron?: string;
  timeZone: string;
  onceAt?: string;
  after?: string;
  afterWhen?: 'success' | 'end';
  misfire: 'once' | 'skip';
  overlap: 'skip' | 'queue';
  retries: number;
  retryMinutes: number;
  timeoutMinutes: number;
  lateMinutes: number;
  /** Empty: no run is overdue. */
  overdueMinutes?: number | null;
  alerts: boolean;
  remark?: string;
}

const usual: Partial<PlanForm> = {
  trigger: 'cron',
  cron: '0 2 * * *',
  afterWhen: 'success',
  misfire: 'once',
  overlap: 'skip',
  retries: 0,
  retryMinutes: 5,
  timeoutMinutes: 240,
  lateMinutes: 10,
  alerts: true,
};

/** What the form begins with; of a new plan the usual. */
export function initialOf(plan: PlanRecord | undefined): object {
  if (!plan) return { ...usual, timeZone: zone() };
  const { job, onceAt, cron } = plan;
  return {
    ...plan,
    cron: cron ?? usual.cron,
    onceAt: onceAt ? wallTime(onceAt, plan.timeZone) : undefined,
    after: plan.after ?? undefined,
    job: {
      ...job,
      link: job.link ?? undefined,
      clean: job.clean ?? undefined,
      sql: job.sql ?? undefined,
      export: job.export ?? undefined,
      backup: job.backup ?? undefined,
      distribution: distributionIn(job.distribution),
      tables: job.tables ?? [],
      beside: job.beside === null || job.beside === undefined ? '' : job.beside ? 'beside' : 'clean',
      method: job.method ?? 'content',
    },
    retryMinutes: plan.retrySeconds / MINUTE,
    timeoutMinutes: plan.timeoutSeconds / MINUTE,
    lateMinutes: plan.lateSeconds / MINUTE,
    overdueMinutes: plan.overdueSeconds === null ? undefined : plan.overdueSeconds / MINUTE,
  };
}

const seconds = (minutes: number) => Math.round(minutes * MINUTE);

/** The form's fields are empty where the plan decides only when it runs. */
function distributionIn(distribution: DistributionInput | null | undefined): DistributionInput | undefined {
  if (!distribution) return undefined;
  return { ...distribution, version: distribution.version ?? undefined, masters: distribution.masters ?? [] };
}

function distributionOf(distribution: DistributionInput | undefined): DistributionInput | null {
  if (!distribution) return null;
  const { policy, version, masters } = distribution;
  return { policy, version: version ?? null, masters: masters?.length ? masters : null };
}

/** Only what belongs to the type: fields of another one may have been filled before. */
function jobOf(job: JobForm): JobInput {
  const { type, link, tables, beside, method, repair, clean, sql, backup } = job;
  if (type === 'clean') return { type, clean: clean ?? null };
  if (type === 'sql') return { type, sql: sql ?? null };
  if (type === 'export') return { type, sql: sql ?? null, export: job.export ?? null };
  if (type === 'backup') return { type, backup: backup ?? null };
  if (type === 'distribute') return { type, distribution: distributionOf(job.distribution) };
  return {
    type,
    link: link ?? null,
    tables: isOfTables(type) && tables?.length ? tables : null,
    beside: type === 'reload' && beside ? beside === 'beside' : null,
    method: type === 'compare' && method && method !== 'content' ? method : null,
    repair: type === 'compare' && method !== 'count' && (repair ?? false),
  };
}

/** What is sent for a filled form. */
export function planOf(form: PlanForm): PlanInput {
  const { job, trigger, timeZone, onceAt, cron } = form;
  return {
    name: form.name,
    job: jobOf(job),
    trigger,
    cron: trigger === 'cron' ? (cron ?? '') : null,
    timeZone,
    after: trigger === 'after' ? (form.after ?? null) : null,
    afterWhen: form.afterWhen ?? 'success',
    onceAt: trigger === 'once' && onceAt ? momentIn(timeZone, onceAt).toISOString() : null,
    misfire: form.misfire,
    overlap: form.overlap,
    retries: form.retries,
    retrySeconds: seconds(form.retryMinutes),
    timeoutSeconds: seconds(form.timeoutMinutes),
    lateSeconds: seconds(form.lateMinutes),
    overdueSeconds: form.overdueMinutes ? seconds(form.overdueMinutes) : null,
    alerts: form.alerts,
    remark: form.remark ?? '',
  };
}
