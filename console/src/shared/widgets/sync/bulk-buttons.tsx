import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { actionItems } from '@/shared/ui/action-items';
import type { RowAction } from '@/shared/ui/data-table';
import { RefusableButton } from '@/shared/ui/refusable-button';

/** Says that tables are to be selected first. */
export function useAskToSelect(): () => void {
  const { t } = useTranslation('sync');
  return () => notify('warning', t('table.selectFirst'));
}

interface ButtonProps<Row> {
  /** The selected tables. */
  chosen: readonly Row[];
  /** Those of them with which it can be done. */
  possible: readonly Row[];
  onAct: (rows: readonly Row[]) => void;
  children: ReactNode;
}

/** Does the same with selected tables. Where none of them allows it, it is off and says so. */
function BulkButton<Row>({ chosen, possible, onAct, children }: ButtonProps<Row>) {
  const { t } = useTranslation('sync');
  const askToSelect = useAskToSelect();
  const isImpossible = chosen.length > 0 && possible.length === 0;
  return (
    <RefusableButton
      refused={isImpossible ? t('table.noneAllows') : undefined}
      onClick={() => (chosen.length === 0 ? askToSelect() : onAct(possible))}
    >
      {children}
    </RefusableButton>
  );
}

interface MenuButtonProps {
  chosen: readonly unknown[];
  actions: readonly RowAction[];
}

/** What else can be done with selected tables. */
function BulkMenu({ chosen, actions }: MenuButtonProps) {
  const { t } = useTranslation('sync');
  const askToSelect = useAskToSelect();
  if (actions.length === 0) return null;
  const isNone = chosen.length === 0;
  const button = (
    <Button icon={<DownOutlined />} iconPlacement="end" onClick={isNone ? askToSelect : undefined}>
      {t('table.more')}
    </Button>
  );
  if (isNone) return button;
  return (
    <Dropdown autoFocus trigger={['click']} menu={{ items: actionItems(actions) }}>
      {button}
    </Dropdown>
  );
}

interface RowProps<Row, Verb> {
  /** The selected tables. */
  rows: readonly Row[];
  verbs: readonly Verb[];
  labelOf: (verb: Verb) => string;
  act: (verb: Verb, rows: readonly Row[], onDone: () => void) => void;
  onDone: () => void;
  /** Entries of the menu next to them. */
  further?: readonly RowAction[];
}

/** A verb is offered as long as one of the chosen tables allows it, and is asked of those only. */
export function BulkActionRow<Row extends { actions: readonly string[] }, Verb extends string>({
  rows,
  verbs,
  labelOf,
  act,
  onDone,
  further = [],
}: RowProps<Row, Verb>) {
  return (
    <Space.Compact>
      {verbs.map((verb) => (
        <BulkButton
          key={verb}
          chosen={rows}
          possible={allowing(rows, verb)}
          onAct={(possible) => act(verb, possible, onDone)}
        >
          {labelOf(verb)}
        </BulkButton>
      ))}
      <BulkMenu chosen={rows} actions={further} />
    </Space.Compact>
  );
}

/** Those of the tables that allow it. */
export function allowing<Row extends { actions: readonly string[] }>(
  rows: readonly Row[],
  verb: string,
): Row[] {
  return rows.filter(({ actions }) => actions.includes(verb));
}
