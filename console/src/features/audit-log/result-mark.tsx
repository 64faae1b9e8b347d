import { useTranslation } from 'react-i18next';
import type { OperationRecord } from '@/shared/api';
import { LookMark } from '@/shared/ui/state-tag';

const LOOKS = { done: 'good', failed: 'bad', begun: 'warning' } as const;

/** The result of a recorded call. */
export function ResultMark({ result }: { result: OperationRecord['result'] }) {
  const { t } = useTranslation('audit-log');
  return <LookMark look={LOOKS[result]} label={t(result)} />;
}
