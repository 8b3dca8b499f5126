import com.google.gson.Gson;
class App { Gson gson = new Gson(); }
