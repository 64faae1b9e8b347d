import { DownloadOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { Tip } from '../tip';
import type { FileKind } from './exporting';
import type { Column } from './types';

interface Props<Row> {
  /** What the file is called. */
  name: string;
  /** Those that the viewer sees: a file holds the same. */
  columns: readonly Column<Row>[];
  load: () => Promise<readonly Row[]>;
  isEmpty: boolean;
}

/** Writes the whole list, as it is filtered and sorted, into a file. */
export function ExportMenu<Row>({ name, columns, load, isEmpty }: Props<Row>) {
  const { t } = useTranslation();
  const [isRunning, setRunning] = useState(false);
  const write = async (kind: FileKind) => {
    const { exportRows, plainRows, SHEET_ROWS } = await import('./exporting');
    const rows = plainRows(columns, await load());
    if (kind === 'xlsx' && rows.length > SHEET_ROWS) return notify('warning', t('table.tooLongForSheet'));
    await exportRows(name, kind, rows);
    notify('success', t('table.exported', { count: rows.length - 1 }));
  };
  const run = async (kind: FileKind) => {
    setRunning(true);
    try {
      await write(kind);
    } catch (error) {
      notify('error', t('table.exportFailed', { reason: error instanceof Error ? error.message : '' }));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Tip title={t('table.export')}>
      <span>
        <Dropdown
          trigger={['click']}
          disabled={isEmpty || isRunning}
          menu={{
            items: [
              { key: 'csv', label: t('table.exportCsv') },
              { key: 'xlsx', label: t('table.exportXlsx') },
            ],
            onClick: ({ key }) => run(key as FileKind),
          }}
        >
          <Button
            type="text"
            icon={<DownloadOutlined />}
            loading={isRunning}
            aria-label={t('table.export')}
          />
        </Dropdown>
      </span>
    </Tip>
  );
}
