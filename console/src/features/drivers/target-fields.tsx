import { Form, Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useContainers } from './queries';

export interface TargetValues {
  everywhere: boolean;
  containerIds?: string[];
}

/** The containers whose hosts keep a driver. */
export function TargetFields() {
  const { t } = useTranslation('drivers');
  const everywhere: boolean | undefined = Form.useWatch('everywhere');
  const containers = useContainers();
  return (
    <>
      <Form.Item name="everywhere" label={t('hostsOf')}>
        <Radio.Group
          options={[
            { value: true, label: t('everywhere') },
            { value: false, label: t('chosenContainers') },
          ]}
        />
      </Form.Item>
      {everywhere === false && (
        <Form.Item
          name="containerIds"
          label={t('containers')}
          rules={[{ required: true, type: 'array', min: 1, message: t('containersFault') }]}
          extra={containers.error?.message}
        >
          <Select
            mode="multiple"
            loading={containers.isFetching}
            showSearch={{ optionFilterProp: 'label' }}
            options={containers.data?.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          />
        </Form.Item>
      )}
    </>
  );
}
