import { Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { EtlRule } from '@/shared/api';
import { PlainTable } from '@/shared/ui/plain-table';
import { RefusableButton } from '@/shared/ui/refusable-button';

interface Props {
  label: string;
  rules: readonly EtlRule[];
  /** Left out: rules are only shown. */
  onEdit: ((rule: EtlRule) => void) | undefined;
  onDelete: (column: string) => void;
  /** The last rule cannot be deleted. */
  keepsLast?: boolean;
}

/** ETL rules, one a column: what each makes of it. */
export function RuleList({ label, rules, onEdit, onDelete, keepsLast = false }: Props) {
  const { t } = useTranslation('subscribe');
  const isLast = keepsLast && rules.length === 1;
  return (
    <PlainTable<EtlRule>
      label={label}
      rows={rules}
      rowKey={({ column }) => column}
      columns={[
        { key: 'column', title: t('rule.column'), width: 180, render: ({ column }) => column },
        { key: 'kind', title: t('rule.kind'), width: 110, render: ({ kind }) => t(`rule.kinds.${kind}`) },
        { key: 'what', title: t('rule.what'), render: (rule) => <What rule={rule} /> },
        ...(onEdit
          ? [
              {
                key: 'actions',
                title: t('rule.actions'),
                width: 120,
                render: (rule: EtlRule) => (
                  <Space size={4}>
                    <Button
                      type="link"
                      aria-label={t('rule.editOf', { name: rule.column })}
                      onClick={() => onEdit(rule)}
                    >
                      {t('rule.edit')}
                    </Button>
                    <RefusableButton
                      type="link"
                      danger
                      refused={isLast ? t('rule.lastStays') : undefined}
                      aria-label={t('rule.deleteOf', { name: rule.column })}
                      onClick={() => onDelete(rule.column)}
                    >
                      {t('rule.delete')}
                    </RefusableButton>
                  </Space>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** What the rule makes of the column's values. */
function What({ rule: { kind, expression, type, first, last, value } }: { rule: EtlRule }) {
  const { t } = useTranslation('subscribe');
  if (kind === 'expression')
    return (
      <code>
        {expression}
        {type && ` :: ${type}`}
      </code>
    );
  if (kind === 'partial') return t('rule.kept', { first, last });
  return kind === 'fixed' ? <code>{value}</code> : null;
}
