def port(text: str) -> int:
    return text


port(80)
x: list[int] = ['a']
