import { Button, Select, Space } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ClientType,
  useChannels,
  useContainers,
  useCustomers,
  useNodes,
  useStrategies,
} from './queries';
import './selectors.css';

export type { ClientType } from './queries';

interface Choice {
  value: string;
  label: string;
}

interface OneOfProps {
  label: string;
  query: { data: readonly Choice[] | undefined; error: Error | null; refetch: () => unknown };
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  disabled?: boolean;
  /** What an empty list says. */
  empty?: string;
}

/** A labelled list to choose one from; says when it is empty or could not be read. */
function OneOf({ label, query, value, onChange, disabled, empty }: OneOfProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="selector">
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className="selector-box"
        value={value ?? null}
        onChange={(chosen: string | null) => onChange(chosen ?? undefined)}
        options={[...(query.data ?? [])]}
        loading={!disabled && !query.data && !query.error}
        disabled={disabled}
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('selector.choose')}
        notFoundContent={empty ?? t('selector.none')}
        popupMatchSelectWidth={false}
      />
      {query.error && (
        <span role="alert" className="selector-error">
          {query.error.message}
          <Button type="link" onClick={() => query.refetch()}>
            {t('action.retry')}
          </Button>
        </span>
      )}
    </div>
  );
}

const named = ({ id, name }: { id: string; name: string }): Choice => ({ value: id, label: name });

interface SelectProps {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** One of the publish nodes that the viewer may see. */
export function NodeSelect({ value, onChange }: SelectProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useNodes();
  const query = { data: data?.map(named), error, refetch };
  return <OneOf label={t('selector.nodes')} query={query} value={value} onChange={onChange} />;
}

/** One of the containers that the viewer may run services in. */
export function ContainerSelect({ value, onChange }: SelectProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useContainers();
  const choices = data?.records.map(({ id, displayName, containerName }) => ({
    value: id,
    label: displayName || containerName,
  }));
  return (
    <OneOf
      label={t('selector.containers')}
      query={{ data: choices, error, refetch }}
      value={value}
      onChange={onChange}
    />
  );
}

export interface CustomerChoice {
  customerId?: string;
  strategyId?: string;
  channelId?: string;
}

interface OfCustomerProps extends SelectProps {
  customerId: string | undefined;
}

/** One of the strategies that a customer was given. */
function StrategySelect({ customerId, value, onChange }: OfCustomerProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useStrategies(customerId);
  const choices = data?.records.map(({ id, productName }) => ({ value: id, label: productName }));
  return (
    <OneOf
      label={t('selector.strategies')}
      query={{ data: choices, error, refetch }}
      value={value}
      onChange={onChange}
      disabled={customerId === undefined}
      empty={t('selector.noStrategies')}
    />
  );
}

/** One of a customer's channels. */
function ChannelSelect({ customerId, value, onChange }: OfCustomerProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useChannels(customerId);
  return (
    <OneOf
      label={t('selector.channels')}
      query={{ data: data?.map(named), error, refetch }}
      value={value}
      onChange={onChange}
      disabled={customerId === undefined}
    />
  );
}

interface CustomerSelectProps {
  clientType: ClientType;
  value: CustomerChoice;
  onChange: (choice: CustomerChoice) => void;
  /** Asks for one of the customer's strategies as well. */
  withStrategy?: boolean;
  /** Asks for one of the customer's channels as well. */
  withChannel?: boolean;
}

/** One of the customers of a type, and where wanted one of its strategies and one of its channels. */
export function CustomerSelect({
  clientType,
  value,
  onChange,
  withStrategy = false,
  withChannel = false,
}: CustomerSelectProps) {
  const { t } = useTranslation();
  const customers = useCustomers(clientType);
  const choices = customers.data?.map(({ customerid, name }) => ({ value: customerid, label: name }));
  const { customerId, strategyId, channelId } = value;
  return (
    <Space wrap size={[24, 12]}>
      <OneOf
        label={t(`selector.customers.${clientType}`)}
        query={{ data: choices, error: customers.error, refetch: customers.refetch }}
        value={customerId}
        onChange={(chosen) => onChange({ customerId: chosen })}
      />
      {withStrategy && (
        <StrategySelect
          customerId={customerId}
          value={strategyId}
          onChange={(chosen) => onChange({ ...value, strategyId: chosen })}
        />
      )}
      {withChannel && (
        <ChannelSelect
          customerId={customerId}
          value={channelId}
          onChange={(chosen) => onChange({ ...value, channelId: chosen })}
        />
      )}
    </Space>
  );
}
