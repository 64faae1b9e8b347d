import { Button, Form, Input, Segmented, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { Card } from '@/shared/ui/card';
import { saveLayout } from '@/shared/ui/data-table/layout-store';
import { EmptyState } from '@/shared/ui/empty-state';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { CronHelper } from '@/shared/widgets/cron';
import { useConnectionTest } from '@/shared/widgets/data-source/connection-test';
import { KindDialog } from '@/shared/widgets/data-source/kind-dialog';
import { testConnection, useKinds } from '@/shared/widgets/data-source/queries';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import {
  type ClientType,
  ContainerSelect,
  type CustomerChoice,
  CustomerSelect,
  NodeSelect,
} from '@/shared/widgets/selectors';
import { useFirstLinks } from './queries';

const SlideVerify = lazy(() => import('@/shared/widgets/slide-verify/slide-verify'));

function SelectorsCard() {
  const { t } = useTranslation('demo');
  const [clientType, setClientType] = useState<ClientType>('client');
  const [node, setNode] = useState<string>();
  const [container, setContainer] = useState<string>();
  const [customer, setCustomer] = useState<CustomerChoice>({});
  return (
    <Card title={t('selectors')}>
      <Space wrap size={[24, 12]}>
        <NodeSelect value={node} onChange={setNode} />
        <ContainerSelect value={container} onChange={setContainer} />
        <Segmented<ClientType>
          aria-label={t('clientType')}
          value={clientType}
          onChange={(type) => {
            setClientType(type);
            setCustomer({});
          }}
          options={(['client', 'databus', 'stream'] as const).map((value) => ({
            value,
            label: t(`clientTypes.${value}`),
          }))}
        />
        <CustomerSelect
          clientType={clientType}
          value={customer}
          onChange={setCustomer}
          withStrategy
          withChannel
        />
      </Space>
    </Card>
  );
}

function CronCard() {
  const { t } = useTranslation('demo');
  const [expression, setExpression] = useState('0 2 * * *');
  return (
    <Card title={t('cron')}>
      <CronHelper value={expression} onChange={setExpression} />
    </Card>
  );
}

function KindCard() {
  const { t } = useTranslation('demo');
  const kinds = useKinds();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const label = kinds.data?.find(({ moduletype }) => moduletype === chosen)?.label;
  return (
    <Card title={t('kinds')}>
      <Space>
        <Button onClick={() => setOpen(true)} loading={kinds.isPending}>
          {t('chooseKind')}
        </Button>
        <span role="status">{label}</span>
      </Space>
      <KindDialog
        open={isOpen}
        kinds={kinds.data ?? []}
        chosen={chosen}
        onChoose={({ moduletype }) => setChosen(moduletype)}
        onClose={() => setOpen(false)}
      />
    </Card>
  );
}

/** The first link's own connection is tested, with the password that the server keeps. */
function TestCard() {
  const { t } = useTranslation('demo');
  const links = useFirstLinks().data;
  const link = links?.records[0];
  const { test, run, dismiss } = useConnectionTest();
  const start = () => link && run(() => testConnection('source', { linkId: link.id, side: 'source' }));
  return (
    <Card title={t('test')}>
      {links?.total === 0 && <EmptyState title={t('noLinks')} />}
      {link && <Button onClick={start}>{t('testSource', { name: link.name })}</Button>}
      {test && <TestDialog open test={test} onAgain={start} onClose={dismiss} />}
    </Card>
  );
}

/** A drawer whose form searches the log: it opens the table page with what was filled in. */
function DrawerCard({ onSearch }: { onSearch: (search: string) => void }) {
  const { t } = useTranslation('demo');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('drawer')}>
      <Button onClick={() => setOpen(true)}>{t('openDrawer')}</Button>
      <FormDrawer<{ search: string }>
        title={t('drawer')}
        open={isOpen}
        onSubmit={async ({ search }) => onSearch(search)}
        onClose={() => setOpen(false)}
      >
        <Form.Item name="search" label={t('records.search')} rules={[{ required: true, whitespace: true }]}>
          <Input {...upTo(100)} />
        </Form.Item>
      </FormDrawer>
    </Card>
  );
}

/** The puzzle as the sign-in page asks for it. */
function SlideCard() {
  const { t } = useTranslation('demo');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const succeed = () => {
    close();
    notify('success', t('slide.done'));
  };
  return (
    <Card title={t('slide.title')}>
      <Button onClick={() => setOpen(true)}>{t('slide.open')}</Button>
      <Suspense fallback={null}>{isOpen && <SlideVerify onSolved={succeed} onCancel={close} />}</Suspense>
    </Card>
  );
}

/** What the viewer chose for the table page is deleted, after the question that the system asks before any deletion. */
function DeletionCard() {
  const { t } = useTranslation('demo');
  const start = () =>
    confirmDelete({
      title: t('deletion.ask'),
      content: t('deletion.hint'),
      dependants: null,
      mode: 'get',
      run: async () => {
        saveLayout('demo-records', {});
        notify('success', t('deletion.done'));
      },
    });
  return (
    <Card title={t('deletion.title')}>
      <Button onClick={start}>{t('deletion.open')}</Button>
    </Card>
  );
}

interface Props {
  onSearch: (search: string) => void;
}

/** Components to choose, to fill in and to ask with. */
export function ChoicesTab({ onSearch }: Props) {
  return (
    <div className="demo-cards">
      <SelectorsCard />
      <div className="demo-pair">
        <CronCard />
        <KindCard />
        <TestCard />
        <DrawerCard onSearch={onSearch} />
        <SlideCard />
        <DeletionCard />
      </div>
    </div>
  );
}
