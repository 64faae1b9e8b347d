import { Alert, Button, Form, Select, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type DeliveryResult,
  type DistributionRequest,
  type PolicyDeliveryRecord,
  policyDistributePolicy,
} from '@/shared/api';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { follow } from '@/shared/widgets/call-progress';
import { PreviewList } from './preview-list';
import { useChannelChoice, useMasterChoice, usePolicyChoice, useRefresh, useVersionChoice } from './queries';

const MAX_WAVES = 9;

interface Props {
  /** What is upgraded; left out: a policy is distributed. */
  upgrade?: PolicyDeliveryRecord | undefined;
  onResults: (results: readonly DeliveryResult[]) => void;
  onClose: () => void;
}

interface DistributionForm {
  policy: string;
  version: number;
  masters: string[];
  channel?: string;
  /** By master; who is not named is in the first one. */
  waves?: Record<string, number>;
}

/** Chooses a version and customers, shows what it would change at each, and gives it to them. */
export default function DistributeDrawer({ upgrade, onResults, onClose }: Props) {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  const save = async (form: DistributionForm) => {
    const results = await follow(t('distribute'), (headers) =>
      call(policyDistributePolicy({ body: requestOf(form), headers })),
    );
    onResults(results);
    await refresh();
  };
  return (
    <FormDrawer<DistributionForm>
      title={t('distribute')}
      open
      saveLabel={t('distribute')}
      initialValues={
        upgrade
          ? {
              policy: upgrade.policy,
              version: upgrade.newest,
              masters: [upgrade.controlId],
              channel: upgrade.channelId ?? undefined,
            }
          : { masters: [] }
      }
      onSubmit={save}
      onClose={onClose}
      size="60%"
    >
      <Choices />
      <Preview />
    </FormDrawer>
  );
}

function requestOf({ policy, version, masters, channel, waves }: DistributionForm): DistributionRequest {
  const channelId = masters.length === 1 ? (channel ?? null) : null;
  const targets = masters
    .map((controlId) => ({ controlId, channelId, wave: waves?.[controlId] ?? 1 }))
    .sort((a, b) => a.wave - b.wave);
  return { id: policy, version, targets: targets.map((one) => ({ ...one, wave: String(one.wave) })) };
}

function Choices() {
  const { t } = useTranslation('policy');
  const form = Form.useFormInstance<DistributionForm>();
  const policy: string | undefined = Form.useWatch('policy', form);
  const masters: string[] | undefined = Form.useWatch('masters', form);
  const policies = usePolicyChoice();
  const chosen = policies.data?.records.find(({ id }) => id === policy);
  const versions = useVersionChoice(policy);
  const offered = useMasterChoice(chosen?.nodeMaster ?? undefined);
  const channels = useChannelChoice(masters?.length === 1 ? masters[0] : undefined);
  return (
    <>
      <Form.Item
        name="policy"
        label={t('policy')}
        rules={[{ required: true, message: t('policyFault') }]}
        extra={policies.error?.message}
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={policies.isPending}
          notFoundContent={t('empty')}
          onChange={() => form.setFieldsValue({ masters: [] as string[], version: undefined as never })}
          options={policies.data?.records.map(({ id, productName }) => ({ value: id, label: productName }))}
        />
      </Form.Item>
      <Form.Item
        name="version"
        label={t('version')}
        rules={[{ required: true, message: t('versionFault') }]}
        extra={versions.error?.message}
      >
        <Select
          disabled={policy === undefined}
          loading={versions.isFetching}
          notFoundContent={t('noVersions')}
          options={versions.data?.records
            .filter(({ retiredAt }) => retiredAt === null)
            .map(({ number, note }) => ({
              value: number,
              label: [t('versionNumber', { number }), note].filter(Boolean).join(' · '),
            }))}
        />
      </Form.Item>
      <Form.Item
        name="masters"
        label={t('customersAndMasters')}
        rules={[{ required: true, type: 'array', min: 1, message: t('customersFault') }]}
        extra={offered.error?.message ?? t('customersHint')}
      >
        <Select
          mode="multiple"
          disabled={chosen === undefined}
          loading={offered.isFetching}
          showSearch={{ optionFilterProp: 'label' }}
          notFoundContent={t('noMasters')}
          options={offered.data?.records
            .filter(({ linkId }) => linkId === null)
            .map(({ id, name, customerName }) => ({ value: id, label: `${customerName} / ${name}` }))}
        />
      </Form.Item>
      {masters !== undefined && masters.length > 1 && (
        <Waves
          masters={masters}
          labelOf={(master) => {
            const found = offered.data?.records.find(({ id }) => id === master);
            return found ? `${found.customerName} / ${found.name}` : master;
          }}
        />
      )}
      {masters?.length === 1 && (
        <Form.Item name="channel" label={t('channel')} extra={channels.error?.message ?? t('channelHint')}>
          <Select
            allowClear
            loading={channels.isFetching}
            placeholder={t('anyChannel')}
            options={channels.data?.records.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Form.Item>
      )}
    </>
  );
}

/** Who gets the version when: a wave begins once the one before has succeeded. */
function Waves({ masters, labelOf }: { masters: string[]; labelOf: (master: string) => string }) {
  const { t } = useTranslation('policy');
  const options = Array.from({ length: Math.min(masters.length, MAX_WAVES) }, (_, index) => ({
    value: index + 1,
    label: t('waveNumber', { number: index + 1 }),
  }));
  return (
    <fieldset className="policy-waves">
      <legend>{t('waves')}</legend>
      <p>{t('wavesHint')}</p>
      <div>
        {masters.map((master) => (
          <Form.Item key={master} name={['waves', master]} label={labelOf(master)} initialValue={1}>
            <Select options={options} />
          </Form.Item>
        ))}
      </div>
    </fieldset>
  );
}

function Preview() {
  const { t } = useTranslation('policy');
  const form = Form.useFormInstance<DistributionForm>();
  const policy: string | undefined = Form.useWatch('policy', form);
  const version: number | undefined = Form.useWatch('version', form);
  const masters: string[] | undefined = Form.useWatch('masters', form);
  const channel: string | undefined = Form.useWatch('channel', form);
  const waves: Record<string, number> | undefined = Form.useWatch('waves', form);
  const [asked, setAsked] = useState<DistributionRequest>();
  const now =
    policy && version && masters?.length
      ? requestOf({ policy, version, masters, ...(channel ? { channel } : {}), ...(waves ? { waves } : {}) })
      : undefined;
  const isCurrent = asked !== undefined && JSON.stringify(asked) === JSON.stringify(now);
  const look = async () => {
    const { policy: chosen, ...rest } = await form.validateFields();
    setAsked(requestOf({ policy: chosen, ...rest }));
  };
  return (
    <>
      <Space>
        <Button onClick={() => look().catch(() => undefined)}>{t('preview')}</Button>
        <span>{t('previewHint')}</span>
      </Space>
      {isCurrent ? (
        <PreviewList asked={asked} />
      ) : (
        asked && <Alert type="info" showIcon className="policy-preview" title={t('previewOld')} />
      )}
    </>
  );
}
