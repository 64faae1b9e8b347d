import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { upTo } from '@/shared/ui/up-to';
import { useContainers } from '@/shared/widgets/selectors/queries';
import { useLinks, useServices } from './queries';
import type { RuleForm } from './rule-form';

interface ChoiceProps {
  name: 'containerId' | 'linkId' | 'serviceId';
  label: string;
  offered: { error: Error | null; isPending: boolean };
  options: { value: string; label: string }[] | undefined;
}

function Choice({ name, label, offered, options }: ChoiceProps) {
  const { t } = useTranslation('alert-rule');
  return (
    <Form.Item name={name} label={label} extra={offered.error?.message}>
      <Select
        allowClear
        placeholder={t('all')}
        loading={offered.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        options={options}
      />
    </Form.Item>
  );
}

/** Which subjects of the tenant a rule is about. */
export function ScopeFields() {
  const { t } = useTranslation('alert-rule');
  const kind: RuleForm['kind'] | undefined = Form.useWatch('kind');
  const [containers, links, services] = [useContainers(), useLinks(), useServices()];
  return (
    <>
      <Choice
        name="containerId"
        label={t('container')}
        offered={containers}
        options={containers.data?.records.map(({ id, displayName, containerName }) => ({
          value: id,
          label: displayName || containerName,
        }))}
      />
      {kind !== 'host' && (
        <>
          <Choice
            name="linkId"
            label={t('link')}
            offered={links}
            options={links.data?.records.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Choice
            name="serviceId"
            label={t('service')}
            offered={services}
            options={services.data?.map(({ id, serviceName }) => ({ value: id, label: serviceName }))}
          />
        </>
      )}
      <Form.Item name="pattern" label={t('pattern')} extra={t('patternHint')}>
        <Input {...upTo(200)} autoComplete="off" spellCheck={false} />
      </Form.Item>
    </>
  );
}
