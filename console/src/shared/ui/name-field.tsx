import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { isPlainName } from '@/shared/lib/name-rules';
import { upTo } from '@/shared/ui/up-to';

interface Props {
  label: string;
  /** What is said where there is none. */
  emptyFault: string;
}

const LONGEST = 100;

/** The name of something that a form makes or changes, as `name` of its values. */
export function NameField({ label, emptyFault }: Props) {
  const { t } = useTranslation();
  const check = (_: unknown, name: string | undefined) => {
    const isSound = !name?.trim() || isPlainName(name);
    return isSound ? Promise.resolve() : Promise.reject(new Error(t('form.plainName')));
  };
  return (
    <Form.Item
      name="name"
      label={label}
      rules={[{ required: true, whitespace: true, message: emptyFault }, { validator: check }]}
    >
      <Input {...upTo(LONGEST)} />
    </Form.Item>
  );
}
