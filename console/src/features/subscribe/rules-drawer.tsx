import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button, Drawer, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EtlRule, SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useRuleDeletion, useRules } from './queries';
import { RuleForm } from './rule-form';

/** The form is open for a new rule, or for one that is there. */
type Editing = { rule?: EtlRule };

/** A subscribed table's ETL rules: which of its columns are computed or masked. */
export default function RulesDrawer({ table, onClose }: { table: SheetRecord; onClose: () => void }) {
  const { t } = useTranslation('subscribe');
  const may = useMay('subscribe');
  const isActive = usePageActive();
  const [editing, setEditing] = useState<Editing>();
  const isOffered = may('edit') && table.linkId === null;
  return (
    <Drawer title={t('rule.title', { name: table.source })} open={isActive} onClose={onClose} size="50%">
      <Alert
        type="info"
        showIcon
        className="sync-alert"
        title={t(table.linkId ? 'sheet.settingsOfLink' : 'rule.hint')}
      />
      {isOffered && (
        <Button
          type="primary"
          icon={<PlusOutlined />}
          className="subscribe-rule-add"
          onClick={() => setEditing({})}
        >
          {t('rule.add')}
        </Button>
      )}
      <Rules table={table} isOffered={isOffered} onEdit={(rule) => setEditing({ rule })} />
      {editing && <RuleForm table={table} rule={editing.rule} onClose={() => setEditing(undefined)} />}
    </Drawer>
  );
}

interface RulesProps {
  table: SheetRecord;
  isOffered: boolean;
  onEdit: (rule: EtlRule) => void;
}

function Rules({ table, isOffered, onEdit }: RulesProps) {
  const { t } = useTranslation('subscribe');
  const query = useRules(table.id);
  const remove = useRemoval(table);
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={3} />;
  if (query.data.length === 0) return <EmptyState title={t('rule.empty')} hint={t('rule.emptyHint')} />;
  return (
    <PlainTable<EtlRule>
      label={t('rule.title', { name: table.source })}
      rows={query.data}
      rowKey={({ column }) => column}
      columns={[
        { key: 'column', title: t('rule.column'), width: 180, render: ({ column }) => column },
        { key: 'kind', title: t('rule.kind'), width: 110, render: ({ kind }) => t(`rule.kinds.${kind}`) },
        { key: 'what', title: t('rule.what'), render: (rule) => <What rule={rule} /> },
        ...(isOffered
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
                    <Button
                      type="link"
                      danger
                      aria-label={t('rule.deleteOf', { name: rule.column })}
                      onClick={() => remove(rule.column)}
                    >
                      {t('rule.delete')}
                    </Button>
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

function useRemoval(table: SheetRecord): (column: string) => void {
  const { t } = useTranslation('subscribe');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useRuleDeletion();
  return (column) =>
    confirm({
      title: t('rule.deleteTitle', { name: column }),
      content: t('rule.deleteHint', { table: table.source }),
      action: t('rule.delete'),
      run: async () => {
        await mutateAsync({ table: table.id, columns: [column] });
        notify('success', t('rule.deleted', { name: column }));
      },
    });
}
