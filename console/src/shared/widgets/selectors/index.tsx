import { Button, Select, Space } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type ClientType, useChannels, useContainers, useCustomers, useNodes } from './queries';
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
}

/** A labelled list to choose one from; says when it is empty or could not be read. */
function OneOf({ label, query, value, onChange, disabled }: OneOfProps) {
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
        notFoundContent={t('selector.none')}
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
  channelId?: string;
}

interface CustomerSelectProps {
  clientType: ClientType;
  value: CustomerChoice;
  onChange: (choice: CustomerChoice) => void;
  /** Asks for one of the customer's channels as well. */
  withChannel?: boolean;
}

/** One of the customers of a type, and where wanted one of its channels. */
export function CustomerSelect({ clientType, value, onChange, withChannel = false }: CustomerSelectProps) {
  const { t } = useTranslation();
  const customers = useCustomers(clientType);
  const channels = useChannels(withChannel ? value.customerId : undefined);
  const choices = customers.data?.map(({ customerid, name }) => ({ value: customerid, label: name }));
  return (
    <Space wrap size={[24, 12]}>
      <OneOf
        label={t(`selector.customers.${clientType}`)}
        query={{ data: choices, error: customers.error, refetch: customers.refetch }}
        value={value.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />
      {withChannel && (
        <OneOf
          label={t('selector.channels')}
          query={{ data: channels.data?.map(named), error: channels.error, refetch: channels.refetch }}
          value={value.channelId}
          onChange={(channelId) => onChange({ ...value, channelId })}
          disabled={value.customerId === undefined}
        />
      )}
    </Space>
  );
}
