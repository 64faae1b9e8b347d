import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ApiLine, type ApiVersionRecord, call, dataServiceRestoreVersion } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { Moment } from '@/shared/ui/figures';
import { PendingState } from '@/shared/ui/pending-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { GROUPS, useRefresh, useVersions } from './queries';
import './data-service.css';

/** All versions of an API; one of before can be given to callers again. */
export default function VersionsDrawer({ api, onClose }: { api: ApiLine; onClose: () => void }) {
  const { t } = useTranslation('data-service');
  const isActive = usePageActive();
  const versions = useVersions(api.id);
  const may = useMay(GROUPS);
  const restore = useRestore(api);
  return (
    <Drawer title={t('api.versionsTitle', { name: api.name })} open={isActive} onClose={onClose} size="60%">
      {versions.data ? (
        <PlainTable
          label={t('api.versions')}
          rows={versions.data}
          rowKey={({ number }) => String(number)}
          columns={[
            { key: 'number', title: t('api.version'), width: 80, render: ({ number }) => number },
            {
              key: 'madeAt',
              title: t('api.madeAt'),
              width: 170,
              render: ({ madeAt }) => <Moment at={madeAt} />,
            },
            { key: 'madeBy', title: t('api.madeBy'), width: 110, render: ({ madeBy }) => madeBy },
            {
              key: 'statement',
              title: 'SQL',
              render: ({ statement }) => <pre className="data-service-statement">{statement}</pre>,
            },
            {
              key: 'restore',
              title: t('actions'),
              width: 120,
              render: (version) =>
                version.published
                  ? t('api.current')
                  : may('operate') && (
                      <Button type="link" onClick={() => restore(version)}>
                        {t('api.restore')}
                      </Button>
                    ),
            },
          ]}
        />
      ) : (
        <PendingState query={versions} rows={4} />
      )}
    </Drawer>
  );
}

function useRestore({ id, name }: ApiLine): (version: ApiVersionRecord) => void {
  const { t } = useTranslation('data-service');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  return ({ number }) =>
    confirm({
      title: t('api.restoreTitle', { name, number }),
      content: t('api.restoreHint'),
      action: t('api.restore'),
      run: async () => {
        await call(dataServiceRestoreVersion({ body: { id, number } })).catch(reportFailure('modify'));
        notify('success', t('api.published', { name, number }));
        await refresh();
      },
    });
}
