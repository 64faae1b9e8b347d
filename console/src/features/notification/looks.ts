import type { NoticeDeliveryRecord, ReceiverRecord } from '@/shared/api';
import type { Look } from '@/shared/ui/states';

export const deliveryStates = ['waiting', 'sending', 'sent', 'failed'] as const;

export const lookOfDelivery: Record<NoticeDeliveryRecord['state'], Look> = {
  waiting: 'busy',
  sending: 'busy',
  sent: 'good',
  failed: 'bad',
};

export const ways: readonly ReceiverRecord['way'][] = [
  'mail',
  'webhook',
  'dingtalk',
  'wecom',
  'feishu',
  'slack',
  'teams',
  'pagerduty',
];

export const levels = [0, 1, 3] as const;
