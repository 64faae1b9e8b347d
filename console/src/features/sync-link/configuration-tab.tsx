import { Button, Descriptions } from 'antd';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionRecord, LinkDetail } from '@/shared/api';
import { toYaml } from '@/shared/lib/yaml';
import { CopyButton } from '@/shared/ui/copy-button';
import { useConnectionTest } from '@/shared/widgets/data-source/connection-test';
import { shownOptions } from '@/shared/widgets/data-source/kind';
import { testConnection, useKinds } from '@/shared/widgets/data-source/queries';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';

/** The link as code to copy, and both connections without their passwords, to be tested where they are stored. */
export default function ConfigurationTab({ link }: { link: LinkDetail }) {
  const { t } = useTranslation('sync-link');
  const yaml = useMemo(() => toYaml(link.document), [link.document]);
  return (
    <div className="sync-configuration">
      <div className="sync-connections">
        <ConnectionCard linkId={link.id} side="source" connection={link.source} />
        <ConnectionCard linkId={link.id} side="target" connection={link.target} />
      </div>
      <section className="card" aria-label={t('configuration.file')}>
        <div className="sync-file-head">
          <div>
            <h2>{t('configuration.file')}</h2>
            <p>{t('configuration.fileHint')}</p>
          </div>
          <CopyButton text={yaml} label={t('configuration.copy')} wide />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
        <pre className="sync-file" tabIndex={0}>
          {yaml}
        </pre>
      </section>
    </div>
  );
}

/** An option's value in the viewer's language. No route is a direct connection. */
function valueText(t: TFunction<['sync-link', 'data-source']>, name: string, value: string): string {
  if (value === '') return name === 'route' ? t('data-source:routeDirect') : '–';
  return t(`data-source:choice.${value}` as 'data-source:choice.prefer', { defaultValue: value });
}

interface CardProps {
  linkId: string;
  side: 'source' | 'target';
  connection: ConnectionRecord;
}

function ConnectionCard({ linkId, side, connection }: CardProps) {
  const { t } = useTranslation(['sync-link', 'data-source']);
  const { test, run, dismiss } = useConnectionTest();
  const kinds = useKinds();
  // The stored connection is tested where it is stored: its password never comes to the browser.
  const runTest = () => run(() => testConnection(side, { linkId, side }));
  return (
    <section className="card">
      <Descriptions
        size="small"
        column={2}
        title={t(`configuration.${side}`)}
        extra={
          <Button onClick={runTest} loading={test?.phase === 'running'}>
            {t('data-source:test.run')}
          </Button>
        }
        items={[
          { key: 'kind', label: t('configuration.kind'), children: connection.place.product },
          ...shownOptions(kinds.data, connection).map(({ name, label, value }) => ({
            key: name,
            label,
            children: valueText(t, name, value),
          })),
        ]}
      />
      {test && <TestDialog open test={test} onAgain={runTest} onClose={dismiss} />}
    </section>
  );
}
