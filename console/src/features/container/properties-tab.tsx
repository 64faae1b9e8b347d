import { Button, Tag } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ClusterDetail,
  ContainerProperty,
  KafkaPropertiesRecord,
  KafkaProperty,
  PropertyModule,
} from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { count } from '@/shared/lib/figures';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useProperties } from './queries';

const KafkaDrawer = lazy(() => import('./kafka-drawer'));
const PropertiesDrawer = lazy(() => import('./properties-drawer'));

type Opened = { module: PropertyModule } | { kafka: KafkaPropertiesRecord };

/** What is set for a container: for the processes of its services, and for their connections to Kafka. */
export default function PropertiesTab({ container }: { container: ClusterDetail }) {
  const { data, error, refetch } = useProperties(container.id);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState rows={10} />;
  return (
    <div className="container-detail">
      {data.modules.map((module) => (
        <ModuleCard key={module.module} module={module} onEdit={() => setOpened({ module })} />
      ))}
      {data.kafka.map((kafka) => (
        <KafkaCard key={kafka.kafkaType} kafka={kafka} onEdit={() => setOpened({ kafka })} />
      ))}
      <Suspense fallback={null}>
        {opened && 'module' in opened && (
          <PropertiesDrawer container={container} module={opened.module} onClose={close} />
        )}
        {opened && 'kafka' in opened && (
          <KafkaDrawer container={container} kafka={opened.kafka} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

interface EditProps {
  title: string;
  onEdit: () => void;
}

function EditButton({ title, onEdit }: EditProps) {
  const { t } = useTranslation('container');
  if (!useMay('container')('edit')) return null;
  return (
    <Button aria-label={t('editProperties', { title })} onClick={onEdit}>
      {t('edit')}
    </Button>
  );
}

/** A value with its unit, or what counts where none is set. */
function Value({ property }: { property: ContainerProperty }) {
  const { t } = useTranslation('container');
  const { value, unit } = property;
  const shown = value ?? property.default;
  if (shown === null) return t('hostsOwn');
  const text = `${count(shown)} ${t(`unit.${unit}`)}`;
  return value === null ? <span className="container-quiet">{t('default', { value: text })}</span> : text;
}

function ModuleCard({ module, onEdit }: { module: PropertyModule; onEdit: () => void }) {
  const { t } = useTranslation('container');
  const { title } = module;
  return (
    <Card title={title} extra={<EditButton title={title} onEdit={onEdit} />}>
      <PlainTable<ContainerProperty>
        label={title}
        rows={module.properties}
        rowKey={({ name }) => name}
        columns={[
          { key: 'title', title: t('property'), width: 180, render: (property) => property.title },
          {
            key: 'value',
            title: t('value'),
            width: 180,
            render: (property) => <Value property={property} />,
          },
          {
            key: 'restart',
            title: t('effect'),
            width: 140,
            render: ({ restart }) => <Tag>{t(restart ? 'afterRestart' : 'atOnce')}</Tag>,
          },
          { key: 'help', title: t('meaning'), render: ({ help }) => help },
        ]}
      />
    </Card>
  );
}

function KafkaCard({ kafka, onEdit }: { kafka: KafkaPropertiesRecord; onEdit: () => void }) {
  const { t } = useTranslation('container');
  const title = t(`kafka.${kafka.kafkaType}`);
  return (
    <Card title={title} extra={<EditButton title={title} onEdit={onEdit} />}>
      {kafka.properties.length === 0 ? (
        <EmptyState title={t('kafka.none')} hint={t('kafka.noneHint')} />
      ) : (
        <PlainTable<KafkaProperty>
          label={title}
          rows={kafka.properties}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', title: t('property'), width: 360, render: ({ name }) => name },
            {
              key: 'value',
              title: t('value'),
              render: ({ value, secret }) => (secret ? t('kafka.kept') : value),
            },
          ]}
        />
      )}
    </Card>
  );
}
