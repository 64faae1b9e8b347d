import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationRecord, SignInRecord } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ResultMark } from './result-mark';

/** The columns that the lists of both logs have: when, with what result, and from where. */
export function useRecordColumns<Row extends OperationRecord | SignInRecord>() {
  const { t } = useTranslation('audit-log');
  return useMemo(
    () =>
      ({
        recordedAt: {
          key: 'recordedAt',
          title: t('at'),
          width: MOMENT_WIDTH,
          essential: true,
          text: ({ recordedAt }) => time(recordedAt),
          render: ({ recordedAt }) => <Moment at={recordedAt} />,
        },
        result: {
          key: 'result',
          title: t('result'),
          width: 120,
          text: ({ result }) => t(result),
          render: ({ result }) => <ResultMark result={result} />,
        },
        address: {
          key: 'address',
          type: 'text',
          title: t('address'),
          width: 150,
          text: ({ address }) => address,
        },
      }) satisfies Record<string, Column<Row>>,
    [t],
  );
}
