import { EyeOutlined, KeyOutlined } from '@ant-design/icons';
import { Alert, Button, Select, Space } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ConnectionChoice,
  PreviewColumnRecord,
  PreviewFaultRecord,
  TablePreviewRecord,
} from '@/shared/api';
import { CopyButton } from '@/shared/ui/copy-button';
import { PlainTable } from '@/shared/ui/plain-table';
import './document-preview.css';
import { lineOf, usePreview } from './use-preview';

interface Props {
  connection: ConnectionChoice;
  /** Validates the form and shows its errors; true if a request can be made. */
  check: () => Promise<boolean>;
  /** Puts the caret in a line of the document. */
  onLine: (line: number) => void;
}

/** First rows of the document's tables, read over the connection as the form has it. */
export default function DocumentPreview({ connection, check, onLine }: Props) {
  const { t } = useTranslation('data-source');
  const { preview, ask } = usePreview();
  const isRunning = preview?.phase === 'running';
  const show = async (table: string) => {
    if (await check()) await ask(connection, table);
  };
  const found = preview?.found;
  const all = useRef<HTMLElement>(null);
  // The form is long: bring the result into view.
  useEffect(() => {
    if (preview && !isRunning) all.current?.scrollIntoView({ block: 'nearest' });
  }, [preview, isRunning]);
  const isOld = preview !== undefined && JSON.stringify(preview.connection) !== JSON.stringify(connection);
  return (
    <section ref={all} className="document-preview" aria-label={t('preview.run')} aria-busy={isRunning}>
      <Space wrap>
        <Button icon={<EyeOutlined />} loading={isRunning} onClick={() => show(found?.table ?? '')}>
          {t(preview ? 'preview.again' : 'preview.run')}
        </Button>
        {found && found.tables.length > 1 && (
          <Select
            aria-label={t('preview.table')}
            className="document-preview-table"
            value={found.table}
            disabled={isRunning}
            options={found.tables.map((value) => ({ value, label: value }))}
            onChange={show}
          />
        )}
        {isRunning && <span role="status">{t('preview.running')}</span>}
        {isOld && !isRunning && <span role="status">{t('preview.old')}</span>}
      </Space>
      {preview?.error && <Refusal error={preview.error} onLine={onLine} />}
      {found && <Found found={found} onLine={onLine} />}
    </section>
  );
}

function Refusal({ error, onLine }: { error: Error; onLine: (line: number) => void }) {
  const line = lineOf(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={error.message}
      action={line !== undefined && <LineButton line={line} onLine={onLine} />}
    />
  );
}

function LineButton({ line, onLine }: { line: number; onLine: (line: number) => void }) {
  const { t } = useTranslation('data-source');
  return (
    <Button size="small" aria-label={t('preview.goTo', { line })} onClick={() => onLine(line)}>
      {t('preview.line', { line })}
    </Button>
  );
}

function Found({ found, onLine }: { found: TablePreviewRecord; onLine: (line: number) => void }) {
  const { t } = useTranslation('data-source');
  return (
    <>
      {found.faults.length > 0 && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={t('preview.faults', { count: found.faults.length })}
          description={<Faults faults={found.faults} onLine={onLine} />}
        />
      )}
      {found.rows.length > 0 ? (
        <Rows found={found} />
      ) : (
        found.faults.length === 0 && <p role="status">{t('preview.none', { table: found.table })}</p>
      )}
      {found.undeclared.length > 0 && <Undeclared columns={found.undeclared} />}
    </>
  );
}

interface FaultsProps {
  faults: readonly PreviewFaultRecord[];
  onLine: (line: number) => void;
}

function Faults({ faults, onLine }: FaultsProps) {
  const { t } = useTranslation('data-source');
  return (
    <ul className="document-preview-faults">
      {faults.map(({ line, location, detail, record }) => (
        <li key={`${location} ${detail}`}>
          <LineButton line={line} onLine={onLine} />{' '}
          <span>{record > 0 ? t('preview.record', { record, detail }) : detail}</span>
        </li>
      ))}
    </ul>
  );
}

function Rows({ found }: { found: TablePreviewRecord }) {
  const { t } = useTranslation('data-source');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="document-preview-rows" tabIndex={0}>
      <table aria-label={t('preview.first', { table: found.table })}>
        <thead>
          <tr>
            {found.columns.map(({ name, type, key }) => (
              <th key={name} scope="col">
                {key && <KeyOutlined aria-label={t('preview.key')} />} {name}
                <small>{type}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may be equal, and never move
            <tr key={number}>
              {found.columns.map(({ name }, column) => (
                <td key={name} data-null={row[column] === null || undefined}>
                  {row[column] ?? 'NULL'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A line of a document's `columns`. */
function declaration({ name, type, path }: PreviewColumnRecord): string {
  const quoted = JSON.stringify(name);
  return name === path ? `${quoted}: ${type}` : `${quoted}: {type: ${type}, path: ${JSON.stringify(path)}}`;
}

function Undeclared({ columns }: { columns: readonly PreviewColumnRecord[] }) {
  const { t } = useTranslation('data-source');
  return (
    <details className="document-preview-undeclared">
      <summary>{t('preview.undeclared', { count: columns.length })}</summary>
      <CopyButton wide label={t('preview.copy')} text={columns.map(declaration).join('\n')} />
      <PlainTable
        label={t('preview.undeclared', { count: columns.length })}
        rows={columns}
        rowKey={({ path }) => path}
        columns={[
          { key: 'name', title: t('preview.name'), render: ({ name }) => name },
          { key: 'type', title: t('preview.type'), render: ({ type }) => type },
          { key: 'path', title: t('preview.path'), render: ({ path }) => path },
        ]}
      />
    </details>
  );
}
