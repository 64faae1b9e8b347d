import type { PolicyDeliveryRecord, PolicyRecord } from '@/shared/api';
import type { Look } from '@/shared/ui/states';

export const lookOfPolicy: Record<PolicyRecord['state'], Look> = {
  draft: 'quiet',
  changed: 'busy',
  released: 'good',
};

export const lookOfDelivery: Record<PolicyDeliveryRecord['state'], Look> = {
  failed: 'bad',
  error: 'bad',
  waiting: 'busy',
  loading: 'busy',
  suspended: 'warning',
  active: 'good',
};
