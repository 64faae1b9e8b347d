import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined, WarningFilled } from '@ant-design/icons';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestRow } from '@/shared/api';
import { Remedy } from '@/shared/ui/remedy';
import { Tip } from '@/shared/ui/tip';
import type { ConnectionTest } from './connection-test';
import './test-rows.css';

type Status = 'starting' | 'passed' | 'warning' | 'failed';

const icons = {
  starting: <LoadingOutlined />,
  passed: <CheckCircleFilled />,
  warning: <WarningFilled />,
  failed: <CloseCircleFilled />,
} as const;

function statusOf(row: TestRow): Status {
  if (row.status) return 'passed';
  return row.blocking ? 'failed' : 'warning';
}

/** The checks of a connection test; while it runs, one row that says so. */
export function TestRows({ test }: { test: ConnectionTest }) {
  const { t } = useTranslation('data-source');
  if (test.error) return null;
  return (
    <table className="test-rows" aria-busy={test.phase === 'running'}>
      <thead>
        <tr>
          <th scope="col">{t('test.item')}</th>
          <th scope="col">{t('test.sql')}</th>
          <th scope="col">{t('test.status')}</th>
          <th scope="col">{t('test.log')}</th>
        </tr>
      </thead>
      <tbody>
        {test.phase === 'running' ? (
          <tr>
            <td>{t('test.running')}</td>
            <td>–</td>
            <td>
              <StatusMark status="starting" hint="" />
            </td>
            <td>{t('test.runningHint')}</td>
          </tr>
        ) : (
          databasesOf(test.rows).map(([database, rows], _, all) => (
            <Fragment key={database}>
              {all.length > 1 && (
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    {database}
                  </th>
                </tr>
              )}
              {rows.map((row) => (
                <Row key={`${row.testMatters} ${row.checkSql}`} row={row} />
              ))}
            </Fragment>
          ))
        )}
      </tbody>
    </table>
  );
}

/** The checks of each database, in the order they were made. */
function databasesOf(rows: readonly TestRow[]): [string, TestRow[]][] {
  const found = new Map<string, TestRow[]>();
  for (const row of rows) found.set(row.database, [...(found.get(row.database) ?? []), row]);
  return [...found];
}

function Row({ row }: { row: TestRow }) {
  return (
    <tr data-status={statusOf(row)}>
      <td>{row.testMatters}</td>
      <td>
        <code>{row.checkSql}</code>
      </td>
      <td>
        <StatusMark status={statusOf(row)} hint={row.logInfo} />
      </td>
      <td>
        <div className="test-log">{row.logInfo}</div>
        {!row.status && <Remedy text={row.remedy} advice={row.advice} />}
      </td>
    </tr>
  );
}

function StatusMark({ status, hint }: { status: Status; hint: string }) {
  const { t } = useTranslation('data-source');
  return (
    <Tip title={status === 'passed' ? undefined : hint}>
      <span className="test-status" data-status={status}>
        <span aria-hidden>{icons[status]}</span> {t(`test.${status}`)}
      </span>
    </Tip>
  );
}
