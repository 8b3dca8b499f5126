using Newtonsoft.Json;
class App { static void Main() { JsonConvert.SerializeObject(1); } }
