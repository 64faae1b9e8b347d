import { Alert, Form, Input, Select } from 'antd';
import { call, type SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useAudience, useWords } from './audience';
import { ModeFields } from './clean-drawer';
import { calls, useRefresh } from './queries';
import { useChangeQuestion } from './use-change-question';

interface Settings extends Pick<SheetRecord, 'load' | 'clean' | 'ddl' | 'where' | 'targetWhere'> {
  targetSchema: string;
  targetTable: string;
  /** One `source` or `source=target` a line. */
  columns: string;
}

const MAX_NAME_LENGTH = 128;
const loads = ['full+incremental', 'full', 'incremental'] as const;

/** Where a table goes, which of its columns and rows, and how it is loaded. */
export default function TableDrawer({ table, onClose }: { table: SheetRecord; onClose: () => void }) {
  const { t } = useWords();
  const isActive = usePageActive();
  const refresh = useRefresh();
  const agreed = useChangeQuestion();
  const mayEdit = useMay(useAudience().menu)('edit');
  const save = async ({ columns, ...settings }: Settings) => {
    const body = {
      ...settings,
      table: table.id,
      where: settings.where || null,
      targetWhere: settings.targetWhere || null,
      columns: Object.fromEntries(pairsOf(columns)),
    };
    if (!(await agreed(table, await call(calls.previewEdit({ body }))))) return false;
    await call(calls.editTable({ body }));
    await refresh();
    return notify('success', t('saved', { name: table.source }));
  };
  return (
    <FormDrawer<Settings>
      asked="modify"
      title={t('sheet.settings', { name: table.source })}
      open={isActive}
      initialValues={initialOf(table)}
      onSubmit={save}
      onClose={onClose}
      readOnly={table.linkId !== null || !mayEdit}
    >
      <Alert
        type="info"
        showIcon
        className="sync-alert"
        title={t(table.linkId ? 'sheet.settingsOfLink' : 'sheet.settingsHint')}
      />
      <TargetFields />
      <Form.Item
        name="columns"
        label={t('sheet.columns')}
        extra={t('sheet.columnsHint')}
        rules={[{ validator: (_, text: string) => checkColumns(text, t('sheet.columnsFault')) }]}
      >
        <Input.TextArea rows={4} spellCheck={false} />
      </Form.Item>
      <Form.Item name="where" label={t('sheet.where')} extra={t('sheet.whereHint')}>
        <Input.TextArea rows={2} {...upTo(4000)} spellCheck={false} />
      </Form.Item>
      <Form.Item name="targetWhere" label={t('sheet.targetWhere')}>
        <Input.TextArea rows={2} {...upTo(4000)} spellCheck={false} />
      </Form.Item>
      <Form.Item name="load" label={t('sheet.load')}>
        <Select options={loads.map((value) => ({ value, label: t(`loadMode.${value}`) }))} />
      </Form.Item>
      <ModeFields />
    </FormDrawer>
  );
}

function TargetFields() {
  const { t } = useWords();
  return (['targetSchema', 'targetTable'] as const).map((name) => (
    <Form.Item
      key={name}
      name={name}
      label={t(`sheet.${name}`)}
      extra={t('sheet.targetHint')}
      rules={[{ max: MAX_NAME_LENGTH, message: t('sheet.targetFault', { maximum: MAX_NAME_LENGTH }) }]}
    >
      <Input />
    </Form.Item>
  ));
}

function initialOf(table: SheetRecord): Settings {
  const dot = table.target.indexOf('.');
  const { load, clean, ddl, where, targetWhere } = table;
  return {
    load,
    clean,
    ddl,
    where,
    targetWhere,
    targetSchema: table.target.slice(0, dot),
    targetTable: table.target.slice(dot + 1),
    columns: table.columns.map(([from, to]) => (from === to ? from : `${from}=${to}`)).join('\n'),
  };
}

/** `column1,column2` or one a line; `source=target` gives a column another name. */
export function pairsOf(text: string): [string, string][] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [from = '', to = from] = part.split('=').map((name) => name.trim());
      return [from, to];
    });
}

function checkColumns(text: string, fault: string): Promise<void> {
  const pairs = pairsOf(text);
  const isSound =
    pairs.every(([from, to]) => from !== '' && to !== '') &&
    new Set(pairs.map(([, to]) => to)).size === pairs.length;
  return isSound ? Promise.resolve() : Promise.reject(new Error(fault));
}
