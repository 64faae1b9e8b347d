import type { PlanRecord, RunRecord } from '@/shared/api';
import type { Look } from '@/shared/ui/states';

export const runStates = [
  'queued',
  'running',
  'succeeded',
  'partial',
  'failed',
  'timed-out',
  'skipped',
  'missed',
] as const satisfies readonly RunRecord['state'][];

export const runOrigins = [
  'schedule',
  'manual',
  'after',
  'backfill',
] as const satisfies readonly RunRecord['origin'][];

export const lookOfRun: Record<RunRecord['state'], Look> = {
  queued: 'busy',
  running: 'busy',
  succeeded: 'good',
  partial: 'bad',
  failed: 'bad',
  'timed-out': 'bad',
  skipped: 'warning',
  missed: 'warning',
};

export const planStates = ['active', 'paused', 'over'] as const satisfies readonly PlanRecord['state'][];

export const lookOfPlan: Record<PlanRecord['state'], Look> = {
  active: 'busy',
  paused: 'warning',
  over: 'quiet',
};
